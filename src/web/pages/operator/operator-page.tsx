import type { ReactNode } from 'react'
import { Page } from '../../components/page.tsx'
import { useWorkspace } from '../../components/shell/use-workspace.ts'
import { Empty } from '../../components/states/empty.tsx'

type Props = { title: string; about?: ReactNode; actions?: ReactNode; children: () => ReactNode }

/** A page for operators of the installation. Other accounts see a notice instead, also when the right was taken away meanwhile. */
export function OperatorPage({ children, actions, ...rest }: Props) {
  const { account } = useWorkspace()
  return (
    <Page {...rest} actions={account.operator && actions}>
      {account.operator ? (
        children()
      ) : (
        <Empty title="This page is for operators of this installation">
          One of them can make you one, under Operator → Users.
        </Empty>
      )}
    </Page>
  )
}
