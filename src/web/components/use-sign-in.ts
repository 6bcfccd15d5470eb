import { useState } from 'react'
import { signIn } from '../api/account.ts'
import { ApiError } from '../api/client.ts'

export type SignInValues = { email: string; password: string; code: string }

const needsCode = (error: unknown): boolean => error instanceof ApiError && error.code === 'code_required'

/** Signs in; asks for a code as soon as the server says that the account has one. */
export function useSignIn() {
  const [asksForCode, setAsksForCode] = useState(false)
  const submit = async ({ email, password, code }: SignInValues) => {
    try {
      return await signIn({ email, password, ...(asksForCode && { code }) })
    } catch (error) {
      if (needsCode(error)) setAsksForCode(true)
      throw error
    }
  }
  /** That a code is needed is said by its field. */
  const shown = (failure: Error | undefined) => (needsCode(failure) ? undefined : failure)
  return { asksForCode, submit, shown }
}
