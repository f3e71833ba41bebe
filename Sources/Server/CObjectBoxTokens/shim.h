#ifndef COBJECTBOX_TOKENS_H
#define COBJECTBOX_TOKENS_H

// Signatures of JSON Web Tokens (RFC 7518), by OpenSSL's libcrypto.

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <stddef.h>
#include <string.h>

typedef enum {
  OBX_TOKEN_NO_KEY = 0,
  /// An RSA key of at least 2,048 bits, for RS256.
  OBX_TOKEN_RSA = 1,
  /// A key on the curve P-256, for ES256.
  OBX_TOKEN_EC = 2,
} obx_token_key_kind;

static inline EVP_PKEY *obx_token_read_key(const void *pem, size_t size) {
  if (size > 1 << 20) return NULL;
  BIO *bio = BIO_new_mem_buf(pem, (int)size);
  if (!bio) return NULL;
  EVP_PKEY *key = PEM_read_bio_PUBKEY(bio, NULL, NULL, NULL);
  BIO_free(bio);
  return key;
}

static inline obx_token_key_kind obx_token_kind_of(EVP_PKEY *key) {
  if (EVP_PKEY_base_id(key) == EVP_PKEY_RSA) {
    return EVP_PKEY_bits(key) >= 2048 ? OBX_TOKEN_RSA : OBX_TOKEN_NO_KEY;
  }
  if (EVP_PKEY_base_id(key) == EVP_PKEY_EC) {
    char curve[64];
    size_t length = 0;
    int has_name = EVP_PKEY_get_group_name(key, curve, sizeof curve, &length);
    return has_name && strcmp(curve, "prime256v1") == 0 ? OBX_TOKEN_EC : OBX_TOKEN_NO_KEY;
  }
  return OBX_TOKEN_NO_KEY;
}

/// Returns the kind of a public key in PEM, which decides what it can verify.
static inline obx_token_key_kind obx_token_key(const void *pem, size_t size) {
  EVP_PKEY *key = obx_token_read_key(pem, size);
  if (!key) return OBX_TOKEN_NO_KEY;
  obx_token_key_kind kind = obx_token_kind_of(key);
  EVP_PKEY_free(key);
  return kind;
}

/// Writes a public key in PEM, null-terminated, and frees the parameters.
///
/// Returns false if they are no key, or if the buffer is too small.
static inline int obx_token_write_key(const char *kind, OSSL_PARAM *parameters, char *pem, size_t capacity) {
  int is_written = 0;
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *context = parameters ? EVP_PKEY_CTX_new_from_name(NULL, kind, NULL) : NULL;
  if (context && EVP_PKEY_fromdata_init(context) == 1
      && EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) == 1) {
    EVP_PKEY_CTX *check = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    int is_key = check && EVP_PKEY_public_check(check) == 1;
    EVP_PKEY_CTX_free(check);
    BIO *bio = is_key ? BIO_new(BIO_s_mem()) : NULL;
    if (bio && PEM_write_bio_PUBKEY(bio, key) == 1) {
      char *text = NULL;
      long size = BIO_get_mem_data(bio, &text);
      if (size > 0 && (size_t)size < capacity) {
        memcpy(pem, text, (size_t)size);
        pem[size] = 0;
        is_written = 1;
      }
    }
    BIO_free(bio);
  }
  EVP_PKEY_free(key);
  EVP_PKEY_CTX_free(context);
  OSSL_PARAM_free(parameters);
  return is_written;
}

/// Writes the PEM of an RSA key with a modulus and an exponent, most significant bytes first.
static inline int obx_token_write_rsa(const void *modulus, size_t modulus_size, const void *exponent,
                                      size_t exponent_size, char *pem, size_t capacity) {
  if (modulus_size > 2048 || exponent_size == 0 || exponent_size > 8) return 0;
  BIGNUM *n = BN_bin2bn((const unsigned char *)modulus, (int)modulus_size, NULL);
  BIGNUM *e = BN_bin2bn((const unsigned char *)exponent, (int)exponent_size, NULL);
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  OSSL_PARAM *parameters = NULL;
  if (n && e && builder && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) == 1
      && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e) == 1) {
    parameters = OSSL_PARAM_BLD_to_param(builder);
  }
  OSSL_PARAM_BLD_free(builder);
  BN_free(n);
  BN_free(e);
  return obx_token_write_key("RSA", parameters, pem, capacity);
}

/// Writes the PEM of the key on P-256 with the coordinates of a point, 32 bytes each.
static inline int obx_token_write_curve(const void *x, const void *y, char *pem, size_t capacity) {
  unsigned char point[65] = {4};
  memcpy(point + 1, x, 32);
  memcpy(point + 33, y, 32);
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  OSSL_PARAM *parameters = NULL;
  if (builder
      && OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) == 1
      && OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point) == 1) {
    parameters = OSSL_PARAM_BLD_to_param(builder);
  }
  OSSL_PARAM_BLD_free(builder);
  return obx_token_write_key("EC", parameters, pem, capacity);
}

/// Returns 1 if an HS256 signature is valid.
static inline int obx_token_verify_hmac(const void *secret, size_t secret_size, const void *content,
                                        size_t size, const void *signature, size_t signature_size) {
  unsigned char expected[EVP_MAX_MD_SIZE];
  unsigned int expected_size = 0;
  if (secret_size > 1 << 20 || !HMAC(EVP_sha256(), secret, (int)secret_size, content, size, expected,
                                     &expected_size)) {
    return 0;
  }
  return signature_size == expected_size
         && CRYPTO_memcmp(signature, expected, expected_size) == 0;
}

/// Returns 1 if a signature by RS256 or ES256, depending on the kind of the key, is valid.
static inline int obx_token_verify_public(const void *pem, size_t pem_size, const void *content,
                                          size_t size, const void *signature, size_t signature_size) {
  EVP_PKEY *key = obx_token_read_key(pem, pem_size);
  if (!key) return 0;
  unsigned char *der = NULL;
  const unsigned char *bytes = (const unsigned char *)signature;
  size_t bytes_size = signature_size;
  int is_right = 0;
  obx_token_key_kind kind = obx_token_kind_of(key);
  if (kind == OBX_TOKEN_EC) {
    // The token has the numbers r and s in 32 bytes each; libcrypto reads them in DER.
    ECDSA_SIG *numbers = signature_size == 64 ? ECDSA_SIG_new() : NULL;
    BIGNUM *r = numbers ? BN_bin2bn(bytes, 32, NULL) : NULL;
    BIGNUM *s = numbers ? BN_bin2bn(bytes + 32, 32, NULL) : NULL;
    if (!r || !s || !ECDSA_SIG_set0(numbers, r, s)) {
      BN_free(r);
      BN_free(s);
      ECDSA_SIG_free(numbers);
      EVP_PKEY_free(key);
      return 0;
    }
    int der_size = i2d_ECDSA_SIG(numbers, &der);
    ECDSA_SIG_free(numbers);
    bytes = der;
    bytes_size = der_size > 0 ? (size_t)der_size : 0;
  }
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  if (kind != OBX_TOKEN_NO_KEY && bytes && context
      && EVP_DigestVerifyInit(context, NULL, EVP_sha256(), NULL, key) == 1) {
    is_right =
        EVP_DigestVerify(context, bytes, bytes_size, (const unsigned char *)content, size) == 1;
  }
  EVP_MD_CTX_free(context);
  OPENSSL_free(der);
  EVP_PKEY_free(key);
  return is_right;
}

#endif
