import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'

/** Something that a button does. A second click while the first is under way does nothing. */
export function useAction<Result, Given = void>(options: UseMutationOptions<Result, Error, Given>) {
  const isRunning = useRef(false)
  const { mutate, isPending } = useMutation({
    ...options,
    onSettled: (...result) => {
      isRunning.current = false
      return options.onSettled?.(...result)
    },
  })
  const run = (given: Given): void => {
    if (isRunning.current) return
    isRunning.current = true
    mutate(given)
  }
  return { run, isPending }
}
