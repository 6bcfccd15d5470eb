import { Button, type ButtonProps, Group, PasswordInput, TextInput } from '@mantine/core'
import { MIN_PASSWORD_CHARACTERS } from '../../limits.ts'

/** What a form gives to one of its inputs: `form.getInputProps(name)`. */
type InputProps = object

/** An e-mail address. `username` is what password managers look for. */
export const EmailField = ({
  label = 'E-mail address',
  ...props
}: InputProps & {
  label?: string
  autoComplete?: 'username' | 'username webauthn' | 'off'
  'data-autofocus'?: boolean
}) => <TextInput label={label} type="email" autoComplete="username" required {...props} />

/** A password to sign in with, or to confirm who changes something. */
export const PasswordField = ({
  label = 'Password',
  ...props
}: InputProps & { label?: string; 'data-autofocus'?: boolean }) => (
  <PasswordInput label={label} autoComplete="current-password" required {...props} />
)

/** A password to choose. */
export const NewPasswordField = ({ label = 'New password', ...props }: InputProps & { label?: string }) => (
  <PasswordInput
    label={label}
    description={`At least ${MIN_PASSWORD_CHARACTERS} characters. Spaces are fine.`}
    autoComplete="new-password"
    required
    {...props}
  />
)

/** A code of an authenticator app, or a recovery code. */
export const CodeField = ({
  label = 'Code',
  description = 'From your authenticator app, or a recovery code',
  ...props
}: InputProps & { label?: string; description?: string; autoFocus?: boolean }) => (
  <TextInput label={label} description={description} autoComplete="one-time-code" maxLength={40} required {...props} />
)

/** A name of something or of someone. The service says when it is too long: nothing that is pasted is cut. */
export const NameField = ({ label = 'Name', ...props }: NameProps) => <TextInput label={label} required {...props} />
type NameProps = InputProps & {
  label?: string
  description?: string
  autoComplete?: string
  'data-autofocus'?: boolean
}

type SubmitProps = Pick<ButtonProps, 'variant' | 'color'> & { label: string; isPending: boolean; onCancel?: () => void }

/** The end of a form: at the right of a dialog that can be cancelled, or at the left of a card. */
export const SubmitRow = ({ label, isPending, onCancel, variant, color }: SubmitProps) => (
  <Group justify={onCancel ? 'flex-end' : 'flex-start'}>
    {onCancel && (
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
    )}
    <Button type="submit" variant={variant} color={color} loading={isPending}>
      {label}
    </Button>
  </Group>
)
