import { expect, it } from 'vitest'
import { errorMessage } from '../../src/cli/error-message.ts'

const coded = (code: string) => Object.assign(new Error('write CONNECTION_CLOSED 127.0.0.1:5432'), { code })

it.each(['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', '57P01'])(
  'A database that ends during the work (%s) is said in a sentence',
  (code) =>
    expect(errorMessage(coded(code))).toBe(
      'The database closed the connection before the work was done. Try again when it runs.',
    ),
)

it('Any other error is an unexpected fault in one sentence, with all there is where LOG_LEVEL=debug asks for it', () => {
  expect(errorMessage(coded('23505'), false)).toBe(
    'Unexpected error: write CONNECTION_CLOSED 127.0.0.1:5432. With LOG_LEVEL=debug it says where in the code.',
  )
  expect(errorMessage(coded('23505'), true)).toMatch(/^Unexpected error: Error: write CONNECTION_CLOSED.*\n\s+at /)
})
