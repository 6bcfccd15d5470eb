import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { signOut } from '../../api/account.ts'
import { ApiError } from '../../api/connection/client.ts'
import { forgetSession } from '../../api/connection/forget-session.ts'
import { sessionEnded } from '../../api/connection/session-ended.ts'
import { unsent } from '../../api/connection/unsent.ts'

/** Returns what signs out, after everything that was decided is sent. */
export function useSignOut(): () => void {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const leave = async () => {
    await navigate({ to: '/sign-in' })
    forgetSession(queryClient)
  }
  const { mutate } = useMutation({
    mutationFn: async () => {
      await unsent.sendAll()
      return sessionEnded.leave(signOut)
    },
    onSuccess: ({ continueAt }) => {
      if (continueAt === null) return leave()
      forgetSession(queryClient)
      location.assign(continueAt)
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'unauthorized') return leave()
      notifications.show({ color: 'red', title: 'Not signed out', message: error.message })
    },
  })
  return mutate
}
