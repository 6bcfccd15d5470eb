import { Button, Code, Menu, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCode, IconDownload, IconFileTypeCsv } from '@tabler/icons-react'
import { CopiedValue } from '../../components/copied-value.tsx'
import { saveCsv } from './csv.ts'

type Props = {
  /** The name of the file, without its end. */
  name: string
  /** The first line has the names of the columns. Made when it is needed. */
  table: () => unknown[][]
  /** The command that returns the same rows, and what is to be said about it. Made when it is needed. */
  request: () => { curl: string; about: string }
}

/** What a page shows, as a file or as a request for programs. */
export function TakeAway({ name, table, request }: Props) {
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconFileTypeCsv size={16} aria-hidden />} onClick={() => saveCsv(name, table())}>
            Download CSV
          </Menu.Item>
          <Menu.Item leftSection={<IconCode size={16} aria-hidden />} onClick={open}>
            Show the request
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={opened} onClose={close} title="The same rows for a program" size="lg">
        {opened && <Request {...request()} />}
      </Modal>
    </>
  )
}

const Request = ({ curl, about }: { curl: string; about: string }) => (
  <Stack>
    <Text size="sm">{about}</Text>
    <CopiedValue value={curl} label="the command" />
    <Text size="sm" c="dimmed">
      Put a key of your workspace into the variable first: <Code>export PRICETAPE_API_KEY=…</Code>
    </Text>
  </Stack>
)
