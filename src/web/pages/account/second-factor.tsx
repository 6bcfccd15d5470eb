import { Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { totpQuery } from '../../api/account.ts'
import { lazyPart } from '../../components/loading/lazy-part.ts'
import { Failure } from '../../components/states/failure.tsx'
import { Moment } from '../../components/values/moment.tsx'
import { TurnOff } from './turn-codes-off.tsx'

// It draws the QR code, which few people need.
const TurnOn = lazyPart(async () => ({ default: (await import('./turn-codes-on.tsx')).TurnOn }))

/** Codes of an authenticator app after the password: turn them on, turn them off. */
export function SecondFactor() {
  const { data, error, refetch } = useQuery(totpQuery)
  const [open, setOpen] = useState<'on' | 'off'>()
  if (data && !data.offered && !data.on) return null
  const close = () => setOpen(undefined)
  return (
    <Card withBorder maw={560}>
      <Stack gap="sm" align="flex-start">
        <Group gap="xs">
          <Title order={2} size="h4">
            Authenticator app
          </Title>
          {data?.on && <Badge variant="light">on</Badge>}
        </Group>
        {error && <Failure error={error} retry={() => void refetch()} />}
        <Text size="sm" c="dimmed">
          {data?.on ? (
            <>
              You are asked for a code after your password. Turned on <Moment at={data.on.since} />.{' '}
              {codesLeft(data.on.recoveryCodes)}
            </>
          ) : (
            'Ask for a code from an app on your phone after your password, so that a stolen password is not enough.'
          )}
        </Text>
        {data && (
          <Button variant="default" onClick={() => setOpen(data.on ? 'off' : 'on')}>
            {data.on ? 'Turn off' : 'Set up'}
          </Button>
        )}
      </Stack>
      <Suspense>
        {open === 'on' && <TurnOn onClose={close} />}
        {open === 'off' && <TurnOff onClose={close} />}
      </Suspense>
    </Card>
  )
}

const codesLeft = (count: number): string =>
  count === 0
    ? 'No recovery codes are left: turn codes off and set them up again to get new ones.'
    : `${count} recovery ${count === 1 ? 'code is' : 'codes are'} left.`
