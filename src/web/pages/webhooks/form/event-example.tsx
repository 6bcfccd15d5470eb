import { ActionIcon, Code, Group, Popover, ScrollArea, Text } from '@mantine/core'
import { IconCode } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { eventExamplesQuery } from '../../../api/webhooks.ts'
import { CopyIcon } from '../../../components/values/copied-value.tsx'

const LOADING = 'Loading …'

/** A button that shows a body of an event type: the newest that was recorded, or an invented one. */
export const EventExample = ({ type }: { type: string }) => (
  <Popover width={420} position="bottom-end" shadow="md" withArrow trapFocus>
    <Popover.Target>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Sample payload of ${type}`}>
        <IconCode size={16} aria-hidden />
      </ActionIcon>
    </Popover.Target>
    <Popover.Dropdown>
      <Body type={type} />
    </Popover.Dropdown>
  </Popover>
)

function Body({ type }: { type: string }) {
  const { data, error } = useQuery(eventExamplesQuery)
  const example = data?.events.find((event) => event.type === type)
  if (!example) return <Text size="sm">{error ? error.message : LOADING}</Text>
  const text = JSON.stringify(JSON.parse(example.body), null, 2)
  return (
    <>
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Text size="sm" c="dimmed">
          {example.recorded ? 'The newest event recorded here.' : 'An example: none was recorded here recently.'}
        </Text>
        <CopyIcon value={text} label="the sample" />
      </Group>
      <ScrollArea.Autosize mah={320} type="auto">
        <Code block tabIndex={0}>
          {text}
        </Code>
      </ScrollArea.Autosize>
    </>
  )
}
