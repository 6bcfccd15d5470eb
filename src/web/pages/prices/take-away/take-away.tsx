import { Button, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCode, IconDownload, IconFileTypeCsv } from '@tabler/icons-react'
import { type ReactNode, Suspense } from 'react'
import { lazyPart } from '../../../components/loading/lazy-part.ts'
import { saveCsv } from './save-csv.ts'

const RequestDialog = lazyPart(() => import('./request-dialog.tsx'))

type Props = {
  /** The name of the file, without its end. */
  name: string
  /** The first line has the names of the columns. Made when it is needed. */
  table: () => unknown[][]
  /** The command that returns the same rows, and what is to be said about it. Made when it is needed. */
  request: () => { curl: string; about: string }
  /** What the dialog of the command is called, where it does not return the same rows. */
  requestTitle?: string
  /** Further entries of the menu. */
  more?: ReactNode
}

/** What a page shows, as a file or as a request for programs. */
export function TakeAway({ name, table, request, requestTitle = 'The same rows for a program', more }: Props) {
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
          {more}
        </Menu.Dropdown>
      </Menu>
      {opened && (
        <Suspense>
          <RequestDialog {...request()} title={requestTitle} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
