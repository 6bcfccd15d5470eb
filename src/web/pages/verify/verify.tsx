import { Button, Card, Code, Group, List, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useSearch } from '@tanstack/react-router'
import { usePageData } from '../../api/use-page-data.ts'
import { secretQuery, webhookQuery } from '../../api/webhooks.ts'
import { useChangeSearch } from '../../components/hooks/use-change-search.ts'
import { Placeholder } from '../../components/loading/skeletons.tsx'
import { Page } from '../../components/page.tsx'
import { useShownIn } from '../../components/shell/use-shown-in.ts'
import { Failure } from '../../components/states/failure.tsx'
import { CopiedValue, CopyIcon } from '../../components/values/copied-value.tsx'
import { CheckRequest, toCheck } from './check-request.tsx'
import { aboutSample, SAMPLES, sampleFor, startOf } from './samples.ts'

const route = getRouteApi('/signed-in/webhooks/$webhookId/verify')

/** How a receiver verifies, and why one does not. */
export function VerifyPage() {
  const { webhookId } = route.useParams()
  const webhook = usePageData(webhookQuery(webhookId)).data?.webhook
  useShownIn(webhook?.workspaceId)
  return (
    <Page
      title="Verify requests"
      about={`Every request to ${webhook?.url ?? 'your endpoint'} is signed to the Standard Webhooks specification, so its libraries verify it. The code below needs no library.`}
      back={{ to: '/webhooks/$webhookId', params: { webhookId }, label: webhook?.name }}
      actions={
        <Button variant="default" onClick={toCheck}>
          Check a request
        </Button>
      }
    >
      <Card withBorder>
        <List size="sm" spacing={4}>
          <List.Item>
            Sign the text <Code>webhook-id.webhook-timestamp.body</Code> with HMAC-SHA256. The key is what follows{' '}
            <Code>whsec_</Code>, decoded from base64.
          </List.Item>
          <List.Item>
            Compare the result in base64 with each part of <Code>webhook-signature</Code> that begins with{' '}
            <Code>v1,</Code>, in constant time.
          </List.Item>
          <List.Item>
            Refuse a <Code>webhook-timestamp</Code> that is more than 5 minutes from your clock.
          </List.Item>
          <List.Item>Use the raw bytes of the body, before a framework parses them.</List.Item>
        </List>
      </Card>
      {webhook ? <Sample webhookId={webhookId} url={webhook.url} /> : <Placeholder height={640} />}
      <CheckRequest webhookId={webhookId} />
    </Page>
  )
}

function Sample({ webhookId, url }: { webhookId: string; url: string }) {
  const change = useChangeSearch()
  const { language } = useSearch({ strict: false }) as { language?: string }
  const sample = SAMPLES.find(({ value }) => value === language) ?? SAMPLES[0]!
  const show = (value: string) => change({ language: value })
  const code = sampleFor(sample.code, url)
  return (
    <Stack gap="xs" component="section">
      <Group justify="space-between">
        <Title order={2} size="h4">
          A receiver
        </Title>
        <SegmentedControl
          value={sample.value}
          onChange={show}
          data={SAMPLES.map(({ value, label }) => ({ value, label }))}
          aria-label="Language"
          size="xs"
        />
      </Group>
      <Text size="sm" c="dimmed">
        {aboutSample(sample, url)}
      </Text>
      <Steps webhookId={webhookId} sample={sample} />
      <Group justify="space-between">
        <Text size="sm" fw={500}>
          {sample.file}
        </Text>
        <CopyIcon value={code} label="the code" />
      </Group>
      <Code block mah={440} style={{ overflow: 'auto' }} tabIndex={0}>
        {code}
      </Code>
    </Stack>
  )
}

/** What is typed into a terminal: the secret, once someone asks for it, the start, and the library for who prefers it. */
function Steps({ webhookId, sample }: { webhookId: string; sample: (typeof SAMPLES)[number] }) {
  const { data: revealed, error, refetch, isFetching } = useQuery(secretQuery(webhookId, 'command'))
  return (
    <>
      <Step label="Start it with this webhook’s secret" command={startOf(sample, revealed?.secret)} />
      {error && <Failure error={error} />}
      {!revealed && (
        <Group>
          <Button size="compact-sm" variant="default" onClick={() => void refetch()} loading={isFetching}>
            Insert secret
          </Button>
        </Group>
      )}
      {sample.install && <Step label="Or install the library and verify in your own server" command={sample.install} />}
    </>
  )
}

const Step = ({ label, command }: { label: string; command: string }) => (
  <div>
    <Text size="xs" c="dimmed" mb={4}>
      {label}
    </Text>
    <CopiedValue value={command} label="the command" />
  </div>
)
