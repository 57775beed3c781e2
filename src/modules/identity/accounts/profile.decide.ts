/** Case-insensitive, one Unicode form. */
export const usernameKey = (username: string): string =>
  username.normalize('NFKC').toLowerCase().normalize('NFKC').trim()

export const filled = (text: string | undefined): string | null => text?.trim() || null

type Contact = { name: string; email: string | null; phone: string | null }

/** Absent keeps, empty clears; a changed email or phone becomes unverified. */
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
