import { Menu } from '@mantine/core'
import { IconDatabaseExport, IconFileCertificate, IconFileTypeCsv } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { visitorQuery } from '../../../api/account.ts'

const FILES = [
  { what: 'parquet', label: 'Parquet, for DuckDB and pandas', Icon: IconDatabaseExport },
  { what: 'csv', label: 'CSV', Icon: IconFileTypeCsv },
  { what: 'proof', label: 'Proof of the CSV', Icon: IconFileCertificate },
]

/** Links to every price that was ever served, up to what the page shows. Visitors of public pages have none. */
export function WholeHistory({ asOf }: { asOf: string }) {
  const { data } = useQuery(visitorQuery)
  if (!data?.session) return null
  return (
    <>
      <Menu.Divider />
      <Menu.Label>Download the whole history</Menu.Label>
      {FILES.map(({ what, label, Icon }) => (
        // In a tab of its own: why there is no file now is shown there, and this page stays.
        <Menu.Item
          key={what}
          component="a"
          href={`/v1/app/export?${new URLSearchParams({ what, asOf })}`}
          target="_blank"
          leftSection={<Icon size={16} aria-hidden />}
        >
          {label}
        </Menu.Item>
      ))}
    </>
  )
}
