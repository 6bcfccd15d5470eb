import { Alert, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { rotateSecret, secretQuery, type Webhook } from '../../api/webhooks.ts'
import { useConfirmed } from '../../components/hooks/use-confirmed.tsx'
import { Failure } from '../../components/states/failure.tsx'
import { CopiedValue } from '../../components/values/copied-value.tsx'
import { Moment } from '../../components/values/moment.tsx'
import { ROTATION_HOURS } from '../../limits.ts'
import { rotationText } from './rotation-text.ts'

/** The signing secret, shown on click; its rotation with 24 hours in which both sign; and how to verify. */
export function Secret({ webhook }: { webhook: Webhook }) {
  const queryClient = useQueryClient()
  const query = secretQuery(webhook.id, 'card')
  const { data, error, refetch, isFetching } = useQuery(query)
  // The answer of a rotation knows before the webhook is read again.
  const olderUntil = data?.previousValidUntil ?? webhook.previousSecretUntil
  const rotate = useConfirmed({
    title: 'Rotate the secret?',
    text: rotationText(olderUntil),
    button: 'Rotate',
    isHarmless: olderUntil === undefined,
    run: async () => queryClient.setQueryData(query.queryKey, await rotateSecret(webhook.id)),
  })
  return (
    <Stack gap="lg" maw={720}>
      <Card withBorder>
        <Stack>
          <Title order={2} size="h4">
            Signing secret
          </Title>
          <Text size="sm" c="dimmed">
            Your receiver verifies every request with it. Anyone who has it can forge requests: keep it like a password.
          </Text>
          {error && <Failure error={error} />}
          {data ? (
            <>
              <CopiedValue value={data.secret} label="the secret" />
              {data.previousValidUntil && (
                <Alert color="yellow" title="Two secrets are valid" role="status">
                  The previous secret stays valid for {ROTATION_HOURS} hours after the rotation: until{' '}
                  <Moment at={data.previousValidUntil} exact />. Give your receivers the new one before then.
                </Alert>
              )}
            </>
          ) : (
            <Text ff="monospace" c="dimmed" aria-label="The secret is hidden">
              whsec_••••••••••••••••••••••••
            </Text>
          )}
          <Group>
            {data ? (
              <Button variant="default" onClick={() => queryClient.setQueryData(query.queryKey, null)}>
                Hide the secret
              </Button>
            ) : (
              <Button onClick={() => void refetch()} loading={isFetching}>
                Reveal the secret
              </Button>
            )}
            <Button variant="default" onClick={rotate}>
              Rotate the secret
            </Button>
          </Group>
        </Stack>
      </Card>
      <Card withBorder>
        <Stack>
          <Title order={2} size="h4">
            Verification
          </Title>
          <Text size="sm" c="dimmed">
            Code for five languages, and a check of a request that your receiver refused.
          </Text>
          <Group>
            <Button
              component={Link}
              variant="default"
              to="/webhooks/$webhookId/verify"
              params={{ webhookId: webhook.id } as never}
              search={{ workspace: webhook.workspaceId } as never}
            >
              Verify requests
            </Button>
          </Group>
        </Stack>
      </Card>
    </Stack>
  )
}
