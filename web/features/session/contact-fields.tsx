import type { ReactNode } from 'react'
import { FormField } from '../../ui/form'

/** `email` and `phone` are what the two are called on this form; `forOrders`: somebody who orders lunch. */
type ContactFieldsProps = { email: string; phone: string; forOrders?: boolean; belowEmail?: ReactNode }

/** How the tuckshop reaches somebody: both may be left empty. */
export const ContactFields = ({ email, phone, forOrders = true, belowEmail }: ContactFieldsProps) => (
  <>
    <FormField
      name="email"
      label={email}
      type="email"
      autoComplete="email"
      hint={
        forOrders ? 'Needed before you can place an order.' : 'Temporary passwords and warnings go there.'
      }
    />
    {belowEmail}
    <FormField name="phone" label={phone} type="tel" autoComplete="tel" placeholder="+260 97 1234567" />
  </>
)
