#ifndef COBJECTBOX_TOKENS_H
#define COBJECTBOX_TOKENS_H

// Signatures of JSON Web Tokens (RFC 7518), by OpenSSL's libcrypto.

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
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

/// Returns what a public key in PEM can verify.
static inline obx_token_key_kind obx_token_key(const void *pem, size_t size) {
  EVP_PKEY *key = obx_token_read_key(pem, size);
  if (!key) return OBX_TOKEN_NO_KEY;
  obx_token_key_kind kind = obx_token_kind_of(key);
  EVP_PKEY_free(key);
  return kind;
}

/// Returns 1 if a signature by HS256 is right.
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

/// Returns 1 if a signature by RS256 or ES256, as the kind of the key says, is right.
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
    // The token has both numbers in 32 bytes each; libcrypto reads them as DER.
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
