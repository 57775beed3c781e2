/** The form in which usernames are compared: without regard to case, in one Unicode form. */
export const usernameKey = (username: string): string =>
  username.normalize('NFKC').toLowerCase().normalize('NFKC').trim()

/** A field that may be left empty: empty text means "none". */
export const filled = (text: string | undefined): string | null => text?.trim() || null

type Contact = { name: string; email: string | null; phone: string | null }

/**
 * What a saved profile changes. A field that was not sent stays, an empty one is cleared; another e-mail address
 * is unverified until its owner follows the link sent to it, another phone until its owner gives the code sent to it.
 */
export const profileChanges = (
  account: Contact,
  form: { name: string; email?: string; phone?: string },
): Contact & { emailVerifiedAt?: null; phoneVerifiedAt?: null; hadOtherEmail?: true } => {
  const email = form.email === undefined ? account.email : filled(form.email)
  const phone = form.phone === undefined ? account.phone : filled(form.phone)
  const moved = email !== account.email
  return {
    name: form.name,
    email,
    phone,
    ...(moved && { emailVerifiedAt: null }),
    ...(phone !== account.phone && { phoneVerifiedAt: null }),
    ...(moved && account.email !== null && { hadOtherEmail: true as const }),
  }
}
