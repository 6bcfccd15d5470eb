import { Button, Modal, Select, Stack, Text } from '@mantine/core'
import { DateInput } from '@mantine/dates'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { auditExportUrl } from '../../api/audit.ts'

const FORMATS = [
  { value: 'csv', label: 'CSV' },
  { value: 'jsonl', label: 'JSON lines' },
]

/** Downloads the whole log, or a part of it by time. */
export default function DownloadAudit({ onClose }: { onClose: () => void }) {
  const [format, setFormat] = useState('csv')
  const [since, setSince] = useState<string | null>(null)
  const [until, setUntil] = useState<string | null>(null)
  return (
    <Modal opened onClose={onClose} title="Download the audit log">
      <Stack>
        <Text size="sm">Every entry of every workspace, the oldest first. Days are in UTC.</Text>
        <Select
          label="Format"
          data={FORMATS}
          value={format}
          allowDeselect={false}
          onChange={(one) => setFormat(one!)}
        />
        <DateInput label="From" placeholder="the first entry" clearable value={since} onChange={setSince} />
        <DateInput
          label="To, that day included"
          placeholder="now"
          clearable
          minDate={since ?? undefined}
          value={until}
          onChange={setUntil}
        />
        <Button
          component="a"
          href={auditExportUrl({ format, since, until })}
          target="_blank"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={onClose}
        >
          Download
        </Button>
      </Stack>
    </Modal>
  )
}
