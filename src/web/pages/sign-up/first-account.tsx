import { NarrowPage } from '../../components/narrow-page.tsx'
import { AccountForm } from './account-form.tsx'

/** The page that the link on the screen of `npm start` opens. */
export const FirstAccount = () => (
  <NarrowPage
    title="Create the first account"
    about="It is the operator of this installation, and an admin of the workspace and API key that the first start made."
  >
    <AccountForm asksEmail button="Create the account" />
  </NarrowPage>
)
