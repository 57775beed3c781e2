import * as z from 'zod/mini'
import { normalizedPhone } from '#kernel/phone-number'
import { nonEmpty } from './endpoint'

export const emailAddress = (message: string) => z.email(message).check(z.maxLength(254, message))
export const optionalEmail = z.optional(
  z.union([z.literal(''), emailAddress('Invalid email address')], 'Invalid email address'),
)
export const optionalPhone = z.optional(
  z.pipe(
    z.pipe(z.string().check(z.maxLength(200)), z.transform(normalizedPhone)),
    z.string().check(z.maxLength(40)),
  ),
)
/** NFC, so that keyboards composing letters differently agree. */
export const password = z
  .string()
  .check(z.normalize('NFC'), z.minLength(6, 'Password must be at least 6 characters'), z.maxLength(200))
/** NFKC, so that lookalike characters are the same. */
export const newUsername = (message: string) => nonEmpty(message).check(z.normalize('NFKC'), z.maxLength(60))

export const secondFactorCode = z.string().check(z.trim(), z.minLength(1, 'Enter the code'), z.maxLength(40))
export const givenPassword = z
  .string()
  .check(z.minLength(1, 'Current password is required'), z.maxLength(200))
