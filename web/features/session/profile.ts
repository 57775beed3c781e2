import * as z from 'zod/mini'
import type { BodyOf } from '#contracts/endpoint'
import { updateProfile } from '#contracts/identity'
import type { User } from '#contracts/identity'

/** The profile as it is typed: the contract's, every field filled. */
export const profileForm = updateProfile.body

export type ProfileValues = z.input<typeof profileForm>

export const profileValues = (user: User): ProfileValues => ({
  name: user.name,
  email: user.email ?? '',
  phone: user.phone ?? '',
  currentPassword: '',
  newPassword: '',
  confirmPassword: '',
})

/** The profile as it is sent: without a new password all three password fields are dropped. */
export const profileBody = ({
  currentPassword,
  newPassword,
  confirmPassword,
  ...rest
}: ProfileValues): BodyOf<typeof updateProfile> =>
  newPassword ? { ...rest, currentPassword, newPassword, confirmPassword } : rest
