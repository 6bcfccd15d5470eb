import { Badge, Select, Stack, Timeline as Steps, Text, Title, UnstyledButton } from '@mantine/core'
import type { DocumentAnswer } from '../../api/documents.ts'
import { toTheMinute } from '../../instants.ts'
import { Significance } from './significance.tsx'

type Props = {
  versions: DocumentAnswer['versions']
  chosen: { from: string | undefined; to: string }
  onShow: (to: string, from?: string) => void
}

const MAX_LISTED = 30

/** The versions of a document: each with what it changed; any two can be compared. */
export function Timeline({ versions, chosen: { from, to }, onShow }: Props) {
  const options = versions.map(({ versionId, recordedAt }) => ({ value: versionId, label: toTheMinute(recordedAt) }))
  const active = versions.findIndex(({ versionId }) => versionId === to)
  return (
    <Stack gap="sm" component="section">
      <Title order={2} size="sm">
        Versions
      </Title>
      {versions.length > 1 && (
        <Stack gap="xs">
          <Select
            size="xs"
            label="Compare"
            data={options}
            value={from ?? null}
            onChange={(before) => before && onShow(to, before)}
            allowDeselect={false}
          />
          <Select
            size="xs"
            label="with"
            data={options}
            value={to}
            onChange={(after) => after && onShow(after, from)}
            allowDeselect={false}
          />
        </Stack>
      )}
      <Steps bulletSize={14} lineWidth={2} active={-1}>
        {versions
          .slice(0, MAX_LISTED)
          .map(({ versionId, recordedAt, classification, significance, previousVersion }, n) => (
            <Steps.Item key={versionId} bullet={n === active ? '•' : undefined}>
              <UnstyledButton
                onClick={() => onShow(versionId, previousVersion ?? undefined)}
                aria-current={n === active ? 'true' : undefined}
                fz="sm"
                fw={n === active ? 600 : 400}
                td="underline"
              >
                {toTheMinute(recordedAt)}
              </UnstyledButton>
              <div>
                <Badge size="sm" variant="light" tt="none" color={classification === 'substantive' ? 'orange' : 'gray'}>
                  {classification ?? 'first version'}
                </Badge>{' '}
                <Significance of={significance} size="sm" />
              </div>
            </Steps.Item>
          ))}
      </Steps>
      {versions.length > MAX_LISTED && (
        <Text size="xs" c="dimmed">
          {versions.length - MAX_LISTED} older ones can be chosen above.
        </Text>
      )}
    </Stack>
  )
}
