import * as z from 'zod/mini'
import type { BodyOf } from '#contracts/endpoint'
import { nonEmpty } from '#contracts/endpoint'
import { register } from '#contracts/identity'

/** The registration as it is typed: the name in two fields. */
export const signUpForm = z.object({
  ...z.omit(register.body, { name: true }).shape,
  firstName: nonEmpty('First name is required'),
  lastName: nonEmpty('Last name is required'),
})

/** The registration as it is sent: one name, empty e-mail and phone left out. */
export const registrationOf = (form: z.output<typeof signUpForm>): BodyOf<typeof register> => ({
  username: form.username,
  password: form.password,
  name: `${form.firstName} ${form.lastName}`.trim(),
  ...(form.email ? { email: form.email } : {}),
  ...(form.phone ? { phone: form.phone } : {}),
})
