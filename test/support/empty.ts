import { expect } from 'vitest'

/** An object without properties, inside `toMatchObject`: `{}` there accepts every object. */
export const EMPTY: unknown = expect.toSatisfy((value) => JSON.stringify(value) === '{}', 'is empty')
