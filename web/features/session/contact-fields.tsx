import { useFormContext } from 'react-hook-form'
import { TextField } from '../../ui/text-field'

type ContactFieldsProps = {
  /** What the two are called on this form. */
  email: string
  phone: string
}

/** How the tuckshop reaches somebody: both may be left empty. For a form whose values have an e-mail and a phone. */
export const ContactFields = ({ email, phone }: ContactFieldsProps) => {
  const {
    register,
    formState: { errors },
  } = useFormContext<{ email?: string; phone?: string }>()
  return (
    <>
      <TextField
        label={email}
        type="email"
        autoComplete="email"
        hint="Needed before you can place an order."
        error={errors.email?.message}
        {...register('email')}
      />
      <TextField
        label={phone}
        type="tel"
        autoComplete="tel"
        placeholder="+260 97 1234567"
        error={errors.phone?.message}
        {...register('phone')}
      />
    </>
  )
}
