import { Navigate } from '@tanstack/react-router'
import { NarrowPage } from '../../components/narrow-page.tsx'
import { linkToken } from '../../link-token.ts'
import { AccountForm } from './account-form.tsx'

/** The page that the link on the screen of `npm start` opens. Without its token, the sign-in says where the link is. */
export const FirstAccount = () =>
  linkToken() === '' ? (
    <Navigate to="/sign-in" replace />
  ) : (
    <NarrowPage
      title="Create the first account"
      about="It is the operator of this installation, and an admin of the workspace and API key that the first start made."
    >
      <AccountForm asksEmail button="Create the account" />
    </NarrowPage>
  )
