import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { visitorQuery } from '../../api/account.ts'
import { NarrowLoading } from '../../components/loading/skeletons.tsx'
import { NarrowPage } from '../../components/narrow-page.tsx'
import { linkToken } from '../../link-token.ts'
import { AccountForm } from './account-form.tsx'

/** The page that the link on the screen of `npm start` opens. Without its token, the sign-in says where the link is. */
export function FirstAccount() {
  const { data, isPending } = useQuery(visitorQuery)
  // As it was when the page was opened: the account that is made here ends nothing.
  const wasMade = useRef<boolean>(undefined)
  wasMade.current ??= data?.hasAccounts
  if (linkToken() === '') return <Navigate to="/sign-in" replace />
  if (isPending && wasMade.current === undefined) return <NarrowLoading />
  return wasMade.current ? (
    <NarrowPage
      title="The first account exists already"
      about="The link on the start screen works once. If the account is yours, sign in. If not, ask an admin of a workspace for an invitation."
    >
      <Button component={Link} to="/" variant="default">
        Go to home
      </Button>
    </NarrowPage>
  ) : (
    <NarrowPage
      title="Create the first account"
      about="This account operates the installation and administers the workspace created on first start."
    >
      <AccountForm asksEmail button="Create the account" />
    </NarrowPage>
  )
}
