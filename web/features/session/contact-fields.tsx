import type { ReactNode } from 'react'
import { FormField } from '../../ui/form'

/** Labels of the two fields on this form. */
type ContactFieldsProps = {
  email: string
  phone: string
  emailHint?: string
  belowEmail?: ReactNode
  belowPhone?: ReactNode
}

/** Both optional. */
export const ContactFields = ({
  email,
  phone,
  emailHint = 'For receipts, a forgotten password and payments by card.',
  belowEmail,
  belowPhone,
}: ContactFieldsProps) => (
  <>
    <FormField name="email" label={email} type="email" autoComplete="email" hint={emailHint} />
    {belowEmail}
    <FormField name="phone" label={phone} type="tel" autoComplete="tel" placeholder="+260 97 1234567" />
    {belowPhone}
  </>
)
