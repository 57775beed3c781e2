import { TextField } from '../../ui/text-field'

type Name = 'email' | 'phone'
type ContactFieldsProps = {
  form: { register: (name: Name) => object; errorOf: (name: Name) => string | undefined }
  /** What the two are called on this form. */
  email: string
  phone: string
}

/** How the tuckshop reaches somebody: both may be left empty. */
export const ContactFields = ({ form, email, phone }: ContactFieldsProps) => (
  <>
    <TextField
      label={email}
      type="email"
      autoComplete="email"
      hint="Needed before you can place an order."
      error={form.errorOf('email')}
      {...form.register('email')}
    />
    <TextField
      label={phone}
      type="tel"
      autoComplete="tel"
      placeholder="+260 97 1234567"
      error={form.errorOf('phone')}
      {...form.register('phone')}
    />
  </>
)
