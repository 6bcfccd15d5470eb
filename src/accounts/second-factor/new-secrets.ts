import { Secret } from 'otpauth'

/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20
/** 80 random bits: no one tries those, so their plain SHA-256 is safe to store. */
const RECOVERY_BYTES = 10
const RECOVERY_CODES = 10

/** Returns a new secret of an authenticator app, in base32. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** Returns ten new recovery codes, in base32. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => new Secret({ size: RECOVERY_BYTES }).base32)
