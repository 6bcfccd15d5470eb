import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { collectSource } from '../../../api/operator.ts'

/** Its workflow has recorded an outcome by then, mostly. */
const LOOK_AGAIN_MS = 5_000

/** Starts the workflow that reads a source, and looks again when it is likely done. */
export function useCollect(source: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => collectSource(source),
    onSuccess: () => {
      const message = 'The result appears here. Changes go out with the next check.'
      notifications.show({ title: `${source} is being read`, message })
      setTimeout(() => void queryClient.invalidateQueries(), LOOK_AGAIN_MS)
    },
    onError: ({ message }) => notifications.show({ color: 'red', title: `${source} was not started`, message }),
  })
}
