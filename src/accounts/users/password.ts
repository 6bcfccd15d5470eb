import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** Argon2id as OWASP recommends it: 19 MiB, two passes. About 12 ms on one core. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, COST)

let hashOfNoOne: Promise<string> | undefined

/** Returns whether a password is right. Where there is none it takes the same time, so that the time shows nothing. */
export async function isPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  hashOfNoOne ??= hashPassword(randomBytes(16).toString('hex'))
  const right = await verify(passwordHash ?? (await hashOfNoOne), password)
  return right && typeof passwordHash === 'string'
}
