import { FormField } from '../../ui/form'

/** How the tuckshop reaches somebody: both may be left empty. The props are what the two are called on this form. */
export const ContactFields = ({ email, phone }: { email: string; phone: string }) => (
  <>
    <FormField
      name="email"
      label={email}
      type="email"
      autoComplete="email"
      hint="Needed before you can place an order."
    />
    <FormField name="phone" label={phone} type="tel" autoComplete="tel" placeholder="+260 97 1234567" />
  </>
)
