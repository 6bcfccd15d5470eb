import { Code, Modal, Stack, Text } from '@mantine/core'
import { CopiedValue } from '../../../components/values/copied-value.tsx'

type Props = { title: string; curl: string; about: string; onClose: () => void }

/** The command that returns the rows of a page. Loaded when someone wants it. */
export default function RequestDialog({ title, curl, about, onClose }: Props) {
  return (
    <Modal opened onClose={onClose} title={title} size="lg">
      <Stack>
        <Text size="sm">{about}</Text>
        <CopiedValue value={curl} label="the command" />
        <Text size="sm" c="dimmed">
          First set an API key of your workspace: <Code>export PRICETAPE_API_KEY=…</Code>
        </Text>
      </Stack>
    </Modal>
  )
}
