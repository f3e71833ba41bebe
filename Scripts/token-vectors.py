"""Makes tokens whose verdicts jwcrypto gives, for Scripts/token-vectors-test.sh.

usage: token-vectors.py FOLDER   writes the key set to FOLDER/set.json, and prints a token and its verdict a line

A token is right, or has one to three faults of header, claims, signature or form. The verdict is the user's identity, or
null: jwcrypto checks the signature by a key of the set, the algorithm, and the times of the claims.
"""

import base64
import json
import pathlib
import random
import re
import sys
import time

from jwcrypto import jwk, jws, jwt

COUNT = 3_000
# RFC 7515 has Base64 without padding; jwcrypto takes it with padding too.
FORM = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*")
# Tokens end or begin this many seconds from now, far from all tolerances.
FAR = 100_000
ALGORITHMS = {"r": "RS256", "e": "ES256", "o": "HS256"}


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def sign(key, header, claims):
    """Signs texts, whatever they say, by the algorithm of the key."""
    algorithm = ALGORITHMS[key["kid"]]
    signer = jws.JWSCore(algorithm, key, json.dumps({"alg": algorithm}), claims, algs=[algorithm])
    # The library writes its own header; the signature must be of ours.
    signer.protected = base64url(header.encode())
    signer.payload = base64url(claims.encode())
    signature = signer.engine.sign(key, f"{signer.protected}.{signer.payload}".encode())
    return [signer.protected, signer.payload, base64url(signature)]


def change_header(header, chance):
    choice = chance.randrange(6)
    if choice == 0:
        header["alg"] = chance.choice(["none", "HS256", "RS256", "ES256", "HS512", "PS256", "hs256", ""])
    elif choice == 1:
        header["kid"] = chance.choice(["r", "e", "o", "x", ""])
    elif choice == 2:
        header.pop("alg", None)
    elif choice == 3:
        header["crit"] = ["exp"]
    elif choice == 4:
        header["typ"] = "JWT"
    else:
        header["b64"] = True


def change_claims(claims, chance, now):
    choice = chance.randrange(8)
    if choice == 0:
        claims.pop("exp", None)
    elif choice == 1:
        claims["exp"] = now - FAR
    elif choice == 2:
        claims["nbf"] = now + chance.choice([FAR, -FAR])
    elif choice == 3:
        claims["exp"] = chance.choice([str(now + FAR), None, [now + FAR], {"a": 1}, "soon"])
    elif choice == 4:
        claims["sub"] = chance.choice(["", 7, None, ["ada"], "ünï"])
    elif choice == 5:
        claims.pop("sub", None)
    elif choice == 6:
        claims["exp"] = now + FAR + 0.5
    else:
        claims["iat"] = now + chance.choice([FAR, -FAR])


def change_form(parts, chance):
    choice = chance.randrange(7)
    index = chance.randrange(3)
    if choice == 0 and parts[index]:
        place = chance.randrange(len(parts[index]))
        parts[index] = parts[index][:place] + chance.choice("AbZ09-_+/=. ") + parts[index][place + 1 :]
    elif choice == 1:
        parts[index] = parts[index][: chance.randrange(len(parts[index]) + 1)]
    elif choice == 2:
        parts[index] += "="
    elif choice == 3:
        parts.append("")
    elif choice == 4:
        parts[0], parts[1] = parts[1], parts[0]
    elif choice == 5:
        parts[2] = ""
    else:
        parts[2] = base64url(bytes(chance.choice([0, 32, 64, 256])))


def verdict(token, keys):
    if not FORM.fullmatch(token):
        return None
    try:
        checked = jwt.JWT(check_claims={"exp": None}, algs=list(ALGORITHMS.values()))
        checked.leeway = 30
        checked.deserialize(token, key=keys)
        if "nbf" in json.loads(checked.claims):
            # It checks only the requested claims.
            checked = jwt.JWT(check_claims={"exp": None, "nbf": None}, algs=list(ALGORITHMS.values()))
            checked.leeway = 30
            checked.deserialize(token, key=keys)
        user = json.loads(checked.claims).get("sub")
        return user if isinstance(user, str) and user else None
    except Exception:
        return None


def main():
    folder = pathlib.Path(sys.argv[1])
    seed = random.randrange(1 << 32)
    print(f"token vectors: seed {seed}", file=sys.stderr)
    chance = random.Random(seed)
    keys = [
        jwk.JWK.generate(kty="RSA", size=2048, kid="r"),
        jwk.JWK.generate(kty="EC", crv="P-256", kid="e"),
        jwk.JWK.generate(kty="oct", size=256, kid="o"),
    ]
    known = jwk.JWKSet()
    for key in keys:
        known.add(key)
    public = [json.loads(key.export_public()) for key in keys[:2]] + [json.loads(keys[2].export_symmetric())]
    (folder / "set.json").write_text(json.dumps({"keys": public}))
    now = int(time.time())
    for _ in range(COUNT):
        key = chance.choice(keys)
        header = {"alg": ALGORITHMS[key["kid"]], "kid": key["kid"]}
        claims = {"sub": "ada", "exp": now + FAR}
        faults = chance.choice([0, 1, 1, 1, 2, 3])
        kinds = [chance.randrange(3) for _ in range(faults)]
        for kind in kinds:
            if kind == 0:
                change_header(header, chance)
            elif kind == 1:
                change_claims(claims, chance, now)
        parts = sign(key, json.dumps(header), json.dumps(claims))
        if 2 in kinds:
            change_form(parts, chance)
        token = ".".join(parts)
        print(json.dumps({"token": token, "user": verdict(token, known)}))


main()
