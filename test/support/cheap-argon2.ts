import { createRequire } from 'node:module'

const argon2: typeof import('@node-rs/argon2') = createRequire(import.meta.url)('@node-rs/argon2')

/** Argon2 at its least cost: accounts are made for most tests, and would cost a twelfth of the suite's processor time. */
export const hash: typeof argon2.hash = (password, options) =>
  argon2.hash(password, { ...options, memoryCost: 8, timeCost: 1 })

/** It costs what the hash says. */
export const { verify } = argon2
