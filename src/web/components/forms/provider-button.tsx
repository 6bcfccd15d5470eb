import { Button, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { goToProvider } from '../../api/identities.ts'
import { Failure } from '../states/failure.tsx'

/** Its operator chose the name: a long one goes on in the next line. */
export const WRAPS = { h: 'auto', mih: 36, py: 6, styles: { label: { whiteSpace: 'normal' } } } as const

type Props = { name: string; variant?: 'filled' | 'default'; next: string }

/** Leaves for the page of the identity provider. It stays busy until that page is there. */
export function ProviderButton({ name, variant = 'default', next }: Props) {
  const { mutate, isPending, isSuccess, error } = useMutation({ mutationFn: () => goToProvider(next) })
  return (
    <Stack>
      {error && <Failure title="Not signed in" error={error} />}
      <Button {...WRAPS} variant={variant} onClick={() => mutate()} loading={isPending || isSuccess}>
        Sign in with {name}
      </Button>
    </Stack>
  )
}
