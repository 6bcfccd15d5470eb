import { Code, Group, Select, Stack, Table, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { ExplainedDelivery, Webhook } from '../../api/webhooks.ts'
import { CopyIcon } from '../../components/values/copied-value.tsx'
import { resendsBefore } from './answer.ts'
import { curlOf } from './curl.ts'

type Props = { webhook: Webhook; delivery: ExplainedDelivery['delivery'] }

const labelOf = (resends: number, number: number): string =>
  resends > 0 ? `Resend ${resends}, attempt ${number}` : `Attempt ${number}`

/** The headers of an attempt as they were sent, and the same request for curl. */
export function Request({ webhook, delivery }: Props) {
  const sent = delivery.attempts.filter((attempt) => attempt.headers)
  const [chosen, setChosen] = useState<string>()
  const index = chosen === undefined ? sent.length - 1 : Number(chosen)
  const headers = sent[index]?.headers
  if (!headers) {
    return (
      <Stack gap="xs" component="section">
        <Title order={2} size="h4">
          Request
        </Title>
        <Text size="sm" c="dimmed">
          {delivery.attempts.length === 0
            ? 'The headers are shown after the first attempt: each is signed when it is sent.'
            : 'The headers of these attempts were not kept.'}
        </Text>
      </Stack>
    )
  }
  const curl = curlOf({ url: webhook.url, headers, body: delivery.payload })
  return (
    <Stack gap="xs" component="section">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Request
        </Title>
        {sent.length > 1 && (
          <Select
            size="xs"
            w={200}
            aria-label="Attempt whose headers are shown"
            allowDeselect={false}
            value={String(index)}
            onChange={(value) => setChosen(value ?? undefined)}
            data={sent.map(({ cycle, number }, position) => ({
              value: String(position),
              label: labelOf(resendsBefore(delivery.attempts, cycle), number),
            }))}
          />
        )}
      </Group>
      <Table.ScrollContainer minWidth={480}>
        <Table verticalSpacing={4} aria-label="Headers as sent">
          <Table.Tbody>
            {Object.entries(headers).map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th ff="monospace" fw={500} w={200}>
                  {name}
                </Table.Th>
                <Table.Td ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                  {value}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Group justify="space-between" align="flex-end">
        <Text size="sm" c="dimmed">
          The same request for curl. A receiver refuses it five minutes after it was signed.
        </Text>
        <CopyIcon value={curl} label="as curl" />
      </Group>
      <Code block mah={220} style={{ overflow: 'auto' }} tabIndex={0}>
        {curl}
      </Code>
    </Stack>
  )
}
