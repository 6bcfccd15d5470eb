import { Alert, List, Stack, Text, Textarea, TextInput, ThemeIcon, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconCheck, IconInfoSmall, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { type CheckResult, checkRequest } from '../../api/webhooks.ts'
import { SubmitRow } from '../../components/forms/fields.tsx'
import { useSubmit } from '../../components/hooks/use-submit.ts'
import { Failure } from '../../components/states/failure.tsx'

const LOOKS = {
  good: { color: 'teal', Icon: IconCheck },
  problem: { color: 'red', Icon: IconX },
  hint: { color: 'blue', Icon: IconInfoSmall },
} as const
const EMPTY = { headers: '', body: '', secret: '' }

const CHECKED_HEADERS = 'checked-headers'

/** Leads to the form below: a long page is before it. */
export const toCheck = (): void => document.getElementById(CHECKED_HEADERS)?.focus()

/** Says why a request that a receiver got does or does not verify. */
export function CheckRequest({ webhookId }: { webhookId: string }) {
  const [result, setResult] = useState<CheckResult>()
  const form = useForm({ mode: 'uncontrolled', initialValues: EMPTY })
  const { onSubmit, isPending, failure } = useSubmit(
    form,
    ({ secret, ...request }: typeof EMPTY) => checkRequest(webhookId, { ...request, ...(secret && { secret }) }),
    setResult,
  )
  return (
    <Stack gap="xs" component="section">
      <Title order={2} size="h4">
        Check a request
      </Title>
      <Text size="sm" c="dimmed">
        Paste a request that your receiver got to see why its signature does or does not verify. Nothing is stored.
      </Text>
      <form onSubmit={onSubmit}>
        <Stack>
          <Textarea
            id={CHECKED_HEADERS}
            label="Headers"
            description="As they were received: with webhook-id, webhook-timestamp and webhook-signature."
            autosize
            minRows={4}
            maxRows={12}
            required
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            key={form.key('headers')}
            {...form.getInputProps('headers')}
          />
          <Textarea
            label="Body"
            description="Exactly as your code verifies it."
            autosize
            minRows={4}
            maxRows={16}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            key={form.key('body')}
            {...form.getInputProps('body')}
          />
          <TextInput
            label="Your receiver’s secret"
            description="Optional. Compared with this webhook’s secret and not stored."
            autoComplete="off"
            spellCheck={false}
            key={form.key('secret')}
            {...form.getInputProps('secret')}
          />
          {failure && <Failure error={failure} />}
          <SubmitRow label="Check the request" isPending={isPending} />
        </Stack>
      </form>
      {result && <Findings result={result} />}
    </Stack>
  )
}

const Findings = ({ result: { verifies, findings } }: { result: CheckResult }) => (
  <Alert color={verifies ? 'teal' : 'red'} title={verifies ? 'It verifies' : 'It does not verify'} role="status">
    <List spacing="xs" size="sm" styles={{ itemLabel: { lineHeight: 1.45 } }}>
      {findings.map(({ kind, text }) => {
        const { color, Icon } = LOOKS[kind]
        return (
          <List.Item
            key={text}
            icon={
              <ThemeIcon color={color} size={20} radius="xl" variant="light">
                <Icon size={14} aria-label={kind} />
              </ThemeIcon>
            }
          >
            {text}
          </List.Item>
        )
      })}
    </List>
  </Alert>
)
