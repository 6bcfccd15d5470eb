import { useForm } from '@mantine/form'
import { useState } from 'react'
import { signIn } from '../../api/account.ts'
import { ApiError } from '../../api/connection/client.ts'

type SignInValues = { email: string; password: string; code: string }

const needsCode = (error: unknown): boolean => error instanceof ApiError && error.code === 'code_required'

/**
 * Signs in; asks for a code as soon as the server says that the account has one, and no more when another is typed.
 * @param email the address of the session before
 */
export function useSignIn(email = '') {
  const [asksForCode, setAsksForCode] = useState(false)
  const form = useForm<SignInValues>({
    mode: 'uncontrolled',
    initialValues: { email, password: '', code: '' },
    onValuesChange: (now, before) => now.email !== before.email && setAsksForCode(false),
  })
  const submit = async ({ email, password, code }: SignInValues) => {
    try {
      return await signIn({ email, password, ...(asksForCode && { code }) })
    } catch (error) {
      if (needsCode(error)) {
        form.setFieldValue('code', '')
        setAsksForCode(true)
      }
      throw error
    }
  }
  /** That a code is needed is said by its field. */
  const shown = (failure: Error | undefined) => (needsCode(failure) ? undefined : failure)
  return { form, asksForCode, submit, shown }
}
