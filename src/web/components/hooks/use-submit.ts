import type { UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { ApiError } from '../../api/connection/client.ts'
import { capital } from '../../capital.ts'

/** `field: what is wrong` is shown without its field when it stands beside it. */
const besideField = ({ message, field }: ApiError): string => capital(message.replace(`${field}: `, ''))

/**
 * Sends a form. A refusal that names one of its fields is shown there; any other is `failure`. What was typed stays, and
 * a second click while the first is under way sends nothing.
 * @param inputOf the input that holds a field of the request, where the two differ
 */
export function useSubmit<Values extends Record<string, unknown>, Result>(
  form: UseFormReturnType<Values>,
  submit: (values: Values) => Promise<Result>,
  onDone: (result: Result) => void,
  inputOf: (field: string) => string = (field) => field,
) {
  const isField = (error: Error): error is ApiError & { field: string } =>
    error instanceof ApiError && error.field !== undefined && inputOf(error.field) in form.getValues()
  const isSending = useRef(false)
  const { mutate, isPending, error } = useMutation({
    mutationFn: submit,
    onSuccess: onDone,
    onSettled: () => {
      isSending.current = false
    },
    onError: (failed) => {
      if (!isField(failed)) return
      const input = inputOf(failed.field)
      form.setFieldError(input, besideField(failed))
      // The field may be far from the button: it is scrolled to, and can be corrected at once.
      form.getInputNode(input)?.focus()
    },
  })
  // A dialog asks to sign in again.
  const isSessionEnded = error instanceof ApiError && error.code === 'unauthorized'
  const failure = error && !isField(error) && !isSessionEnded ? error : undefined
  const onSubmit = form.onSubmit((values) => {
    if (isSending.current) return
    isSending.current = true
    mutate(values)
  })
  /** What is said beside a field, for long forms to say beside the button too: there the field is named. */
  const refused = error && isField(error) ? capital(error.message) : undefined
  return { onSubmit, isPending, failure, refused }
}
