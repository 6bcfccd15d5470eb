import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { LogKey } from './key-store.ts'

/** Where the private half of a key is sealed for. */
export const sealedFor = (publicKey: Buffer): string => `log-key/${publicKey.toString('hex')}`

/** Returns the private half as the text that is sealed. */
export const privateText = (key: KeyObject): string => key.export({ format: 'der', type: 'pkcs8' }).toString('base64')

/** Returns the private half of a text that was sealed. */
export const readPrivate = (text: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' })

/** Returns the 32 bytes of the public half. */
export const publicBytes = (key: KeyObject): Buffer =>
  Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x!, 'base64url')

/** Returns the keys that sign now, the newest first. */
export const signing = (keys: LogKey[]): (LogKey & { sealed: Buffer })[] =>
  keys.filter((key): key is LogKey & { sealed: Buffer } => key.sealed !== undefined && !key.isOver)
