import { screen, waitFor, within } from '@testing-library/react'
import { currentUser, login, register, updateProfile, forgotPassword, verifyEmail } from '#contracts/identity'
import { getPrivacy } from '#contracts/privacy'
import { type FakeServer, FakeRefusal, refusal } from './admin/fake-server'
import { freshPortal, messageOf, openPortal, press, shownAddress } from './open-portal'
import { parent, privacyNotice } from './sample-family'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
})

describe('login', () => {
  const field = (name: string) => screen.findByLabelText(name)
  const said = async (text: string) => expect(await screen.findByText(text)).toBeInTheDocument()

  describe('who is signed in', () => {
    test('a spinner until the server has said', async () => {
      openPortal()
      expect(screen.getByText('Loading')).toBeInTheDocument()
      await field('Username')
    })

    test('somebody comes home', async () => {
      server.on(currentUser, parent)
      openPortal()
      await said('mwila')
    })

    test('every path but the debug page shows the way in', async () => {
      openPortal('/payment/success', null)
      await field('Username')
    })
  })

  const tryLogin = async () => {
    const hands = openPortal('/', null)
    await hands.type(await field('Username'), 'mwila')
    await hands.type(await field('Password'), 'secret1')
    await press(hands, 'Login to Portal')
    return hands
  }

  test('the other form is begun at its heading', async () => {
    const hands = openPortal('/', null)
    await press(hands, /Create an account$/)
    expect(screen.getByRole('heading', { name: 'Create Account' })).toHaveFocus()
    await press(hands, /Login$/)
    expect(screen.getByRole('heading', { name: 'Welcome back' })).toHaveFocus()
  })

  describe('login', () => {
    test('both fields are required, the first wrong one gets the focus', async () => {
      const hands = openPortal('/', null)
      await press(hands, 'Login to Portal')
      expect(messageOf(await field('Username'))).toBe('Username is required')
      expect(messageOf(await field('Password'))).toBe('Password is required')
      expect(await field('Username')).toHaveFocus()
    })

    test('a password is shown on a press, and hidden again', async () => {
      const hands = openPortal('/', null)
      await hands.type(await field('Password'), 'secret1')
      expect(await field('Password')).toHaveAttribute('type', 'password')
      await press(hands, 'Show password')
      expect(await field('Password')).toHaveAttribute('type', 'text')
      expect(await field('Password')).toHaveValue('secret1')
      await press(hands, 'Hide password')
      expect(await field('Password')).toHaveAttribute('type', 'password')
    })

    test('signs in and shows the home', async () => {
      server.on(login, parent)
      await tryLogin()
      await said('Logged in successfully')
      await said('mwila')
      expect(server.asked(login)[0]?.body).toEqual({ username: 'mwila', password: 'secret1' })
    })

    test("a refusal is told in the server's words", async () => {
      server.on(login, () => refusal(401, 'bad_credentials', 'Invalid username or password'))
      await tryLogin()
      await said('Error')
      await said('Invalid username or password')
    })

    test('an answer without words is "Login failed", no answer "Failed to login"', async () => {
      server.on(login, () => {
        throw new FakeRefusal(502, null)
      })
      const hands = await tryLogin()
      await said('Login failed')
      server.on(login, () => {
        throw new TypeError('no network')
      })
      await press(hands, 'Login to Portal')
      await said('Failed to login')
    })
  })

  const openForm = async () => {
    const hands = openPortal('/', null)
    await hands.type(await field('Username'), 'half-typed')
    await press(hands, 'New to Hill School? Create an account')
    await field('First Name')
    return hands
  }

  const codeLabel = "Code from the School's Letter (Optional)"

  const fill = async (hands: Awaited<ReturnType<typeof openForm>>) => {
    await hands.type(await field('First Name'), ' Mutinta ')
    await hands.type(await field('Last Name'), 'Mwila ')
    await hands.type(await field('Username'), 'mwila')
    await hands.type(await field('Password'), 'secret1')
    await press(hands, 'Create Account')
  }

  describe('a new account', () => {
    test('the link changes the mode and clears the form, there and back', async () => {
      const hands = await openForm()
      expect((await field('Username')).getAttribute('value') ?? '').toBe('')
      await press(hands, 'Already have an account? Login')
      await screen.findByRole('button', { name: 'Login to Portal' })
      expect(((await field('Username')) as HTMLInputElement).value).toBe('')
    })

    test('every rule has its message under its field', async () => {
      const hands = await openForm()
      await hands.type(await field('Email Address (Optional)'), 'nope')
      await hands.type(await field('Password'), '12345')
      await press(hands, 'Create Account')
      await waitFor(async () => expect(messageOf(await field('First Name'))).toBe('First name is required'))
      expect(messageOf(await field('Last Name'))).toBe('Last name is required')
      expect(messageOf(await field('Username'))).toBe('Username is required')
      expect(messageOf(await field('Password'))).toBe('Password must be at least 6 characters')
      expect(messageOf(await field('Email Address (Optional)'))).toBe('Invalid email address')
      expect(server.asked(register)).toHaveLength(0)
    })

    test('the name is joined, what is empty is left out, and the user is in', async () => {
      server.on(register, parent)
      await fill(await openForm())
      await said('Registered successfully')
      await said('mwila')
      expect(server.asked(register)[0]?.body).toEqual({
        username: 'mwila',
        password: 'secret1',
        name: 'Mutinta Mwila',
        privacyVersion: 1,
      })
    })

    test('shows a privacy notice that changed meanwhile, and accepts what was shown', async () => {
      const hands = await openForm()
      const sections = [{ title: 'Who keeps it', paragraphs: ['Kept by Hill School and nobody else.'] }]
      server.on(register, () =>
        refusal(409, 'privacy_changed', 'Our privacy notice has changed.', { current: 2 }),
      )
      server.on(getPrivacy, { ...privacyNotice, version: 2, sections })
      expect(screen.queryByText('Hill School keeps it.')).not.toBeInTheDocument()
      await fill(hands)
      await said('Kept by Hill School and nobody else.')
      server.on(register, parent)
      await press(hands, 'Create Account')
      await said('mwila')
      expect(server.asked(register)[0]?.body).toMatchObject({ privacyVersion: 2 })
    })

    test('takes the code of a letter; one that is not valid stands with its reason', async () => {
      server.on(register, () => refusal(422, 'claim_code_wrong', 'No', { fields: { code: 'Not valid' } }))
      const hands = await openForm()
      const code = await field(codeLabel)
      await hands.type(code, 'bcdf ghjk')
      await fill(hands)
      await waitFor(() => expect(messageOf(code)).toBe('Not valid'))
      expect(server.asked(register)[0]?.body).toMatchObject({ code: 'bcdf ghjk' })
    })

    test('of a letter has its code already, and is at home afterwards', async () => {
      server.on(register, parent)
      const hands = openPortal('/register?code=BCDFGHJK', null)
      expect(await field(codeLabel)).toHaveValue('BCDFGHJK')
      await fill(hands)
      await said('mwila')
      expect(server.asked(register)[0]?.body).toMatchObject({ code: 'BCDFGHJK' })
      expect(shownAddress()).toBe('/')
    })

    const puts = /puts your children on your account. Create one, or log in.$/
    test.each([
      ['/register?code=bcdfghjk', /^Code BCDF GHJK puts/],
      ['/register?code=BCDF%20GHJK', /^Code BCDF GHJK puts/],
      ['/register?code=Call+0970+000+000', /^Its code puts/],
      ['/register', /^Its code puts/],
    ])('of a letter has the letter as its headline: %s', async (address, text) => {
      openPortal(address, null)
      const headline = await screen.findByRole('heading', { level: 1, name: /^Your letter from / })
      expect(headline.nextElementSibling).toHaveTextContent(puts)
      expect(headline.nextElementSibling).toHaveTextContent(text)
      expect(screen.getByRole('heading', { level: 2, name: 'Create Account' })).toBeInTheDocument()
    })

    test("the server's message for a field stands under it, beside the notification", async () => {
      server.on(register, () =>
        refusal(409, 'username_taken', 'Taken', { fields: { username: 'This username is taken' } }),
      )
      await fill(await openForm())
      await waitFor(async () => expect(messageOf(await field('Username'))).toBe('This username is taken'))
      await said('Error')
      await said('Taken')
    })

    test('any other refusal is a notification', async () => {
      server.on(register, () => refusal(429, 'rate_limited', 'Too many attempts'))
      await fill(await openForm())
      await said('Too many attempts')
    })
  })

  describe('the link in the email', () => {
    test('a confirmed address is told, the query string cleared', async () => {
      openPortal('/?emailVerified=success', null)
      await said('Email Verified Successfully')
      await said('Your email address has been confirmed. You can now access all features.')
      await waitFor(() => expect(shownAddress()).toBe('/'))
    })

    test('a failure in our own words', async () => {
      openPortal('/?emailVerified=error&message=expired', null)
      await said('Email Verification Failed')
      await said('This link has expired. You can have another one sent in your profile.')
      await waitFor(() => expect(shownAddress()).toBe('/'))
    })
  })

  describe('a temporary password', () => {
    const forced = { ...parent, mustChangePassword: true }

    test('that this session has typed is not asked for again', async () => {
      server.on(updateProfile, parent)
      const hands = openPortal('/', { ...forced, passwordTyped: true })
      await hands.type(await field('New password'), 'secret1')
      await hands.type(await field('New password again'), 'secret1')
      expect(screen.queryByLabelText('Temporary password')).not.toBeInTheDocument()
      await press(hands, 'Change Password')
      await said('mwila')
      expect(server.asked(updateProfile)[0]?.body).not.toHaveProperty('currentPassword')
    })

    test('must be changed before anything else', async () => {
      server.on(updateProfile, parent)
      const hands = openPortal('/?tab=orders', forced)
      await said('Choose a new password')
      await hands.type(await field('Temporary password'), 'temp-1')
      await hands.type(await field('New password'), 'secret1')
      await hands.type(await field('New password again'), 'other')
      await press(hands, 'Change Password')
      const mismatch = "Password confirmation doesn't match or current password is required"
      await waitFor(async () => expect(messageOf(await field('New password again'))).toBe(mismatch))
      await hands.clear(await field('New password again'))
      await hands.type(await field('New password again'), 'secret1')
      await press(hands, 'Change Password')
      await said('mwila')
      expect(server.asked(updateProfile)[0]?.body).toMatchObject({
        name: 'Mutinta Mwila',
        email: 'mwila@example.com',
        currentPassword: 'temp-1',
        newPassword: 'secret1',
        confirmPassword: 'secret1',
      })
    })
  })

  test('the debug login shows status and body as they came', async () => {
    server.on(login, () => refusal(401, 'bad_credentials', 'Invalid username or password'))
    const hands = openPortal('/debug-login', null)
    await hands.type(await field('Username'), 'a')
    await hands.type(await field('Password'), 'b')
    await press(hands, 'Submit')
    await said('Status: 401')
    expect(await screen.findByText(/"code":"bad_credentials"/)).toBeInTheDocument()
  })
})

const identifier = () => screen.findByLabelText('Username or Email Address')
const confirmation = () => screen.findByRole('dialog', { name: 'Confirm Password Reset' })

const upToConfirmation = async () => {
  const hands = openPortal('/', null)
  await press(hands, 'Forgot your password?')
  await hands.type(await identifier(), 'mwila')
  await press(hands, 'Send Reset Instructions')
  await confirmation()
  return hands
}

test('asks for a name before it asks once more', async () => {
  const hands = openPortal('/', null)
  await press(hands, 'Forgot your password?')
  await identifier()
  await press(hands, 'Send Reset Instructions')
  await waitFor(async () => expect(messageOf(await identifier())).toBe('Username or email is required'))
  expect(screen.queryByText('Confirm Password Reset')).not.toBeInTheDocument()
})

test.each([
  [{}, 'office@example.com'],
  [{ whatsappNumber: '0977 000 222' }, 'WhatsApp 0977 000 222 or office@example.com'],
  [{ supportEmail: '' }, null],
])('says whom to ask for who has neither email nor phone (%j)', async (more, ways) => {
  server.on(getPrivacy, { ...privacyNotice, ...more })
  const hands = openPortal('/', null)
  await press(hands, 'Forgot your password?')
  const words = `Ask the tuckshop or the school office${ways ? `: ${ways}` : ''}.`
  const asked = (await screen.findByText('Neither email nor a verified phone?')).parentElement!
  await waitFor(() => expect(asked).toHaveTextContent(words))
})

test('the confirmation says that the current password stays, and can be left', async () => {
  const hands = await upToConfirmation()
  const asked = within(await confirmation())
  expect(asked.getByText(/current password stays active/)).toBeInTheDocument()
  await hands.click(asked.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByText('Confirm Password Reset')).not.toBeInTheDocument())
  expect(((await identifier()) as HTMLInputElement).value).toBe('mwila')
  expect(server.asked(forgotPassword)).toHaveLength(0)
})

test('both buttons say Sending while it runs; then the dialog closes and its form is empty', async () => {
  const waiting: ((reply: { message: string }) => void)[] = []
  server.on(forgotPassword, () => new Promise((resolve) => waiting.push(resolve)))
  const hands = await upToConfirmation()
  await press(hands, 'Yes, Send Reset')
  expect(await screen.findAllByText('Sending...')).toHaveLength(2)
  waiting[0]?.({ message: 'Look into your mail' })
  expect(await screen.findByText('Password Reset Sent')).toBeInTheDocument()
  expect(screen.getByText('Look into your mail')).toBeInTheDocument()
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(server.asked(forgotPassword)[0]?.body).toEqual({ identifier: 'mwila' })
  await press(hands, 'Forgot your password?')
  expect(((await identifier()) as HTMLInputElement).value).toBe('')
})

const failed = async (text: string) => {
  await press(await upToConfirmation(), 'Yes, Send Reset')
  expect(await screen.findByText(text)).toBeInTheDocument()
  expect(((await identifier()) as HTMLInputElement).value).toBe('mwila')
}

describe('when it fails the dialog stays open', () => {
  test("with the server's message", async () => {
    server.on(forgotPassword, () => refusal(429, 'rate_limited', 'Too many attempts'))
    await failed('Too many attempts')
  })

  test('with the default text', async () => {
    server.on(forgotPassword, () => {
      throw new FakeRefusal(502, null)
    })
    await failed('Failed to send password reset.')
  })

  test('without a network', async () => {
    server.on(forgotPassword, () => {
      throw new TypeError('no network')
    })
    await failed('Network error. Please try again.')
  })
})

describe('verify email', () => {
  const said = async (text: string | RegExp) => expect(await screen.findByText(text)).toBeInTheDocument()
  const unproven = { ...parent, email: 'new@example.com', emailVerified: false }

  test('the link of the mail proves the address by one press, and by no look', async () => {
    server.on(verifyEmail, { message: 'Your email address has been confirmed' })
    const hands = openPortal('/verify-email?token=a.b', unproven)
    await said(/Its email address is new@example.com/)
    expect(server.asked(verifyEmail)).toEqual([])
    server.on(currentUser, { ...unproven, emailVerified: true })
    await press(hands, 'Confirm Email Address')
    await said('Email Verified Successfully')
    expect(server.asked(verifyEmail).map(({ body }) => body)).toEqual([{ token: 'a.b' }])
    await waitFor(() => expect(shownAddress()).toBe('/'))
  })

  test('whoever is signed out signs in first, and the link is kept', async () => {
    server.on(login, unproven)
    server.on(verifyEmail, { message: 'Your email address has been confirmed' })
    const hands = openPortal('/verify-email?token=a.b', null)
    await said('Log in to confirm your email address')
    await hands.type(await screen.findByLabelText('Username'), 'mwila.banda')
    await hands.type(await screen.findByLabelText('Password'), 'parent-password')
    await press(hands, 'Login to Portal')
    server.on(currentUser, { ...unproven, emailVerified: true })
    await press(hands, 'Confirm Email Address')
    expect(server.asked(verifyEmail).map(({ body }) => body)).toEqual([{ token: 'a.b' }])
  })

  test('whoever does not want to confirm goes home', async () => {
    const hands = openPortal('/verify-email?token=a.b', unproven)
    await hands.click(await screen.findByRole('link', { name: 'Not now' }))
    await waitFor(() => expect(shownAddress()).toBe('/'))
    expect(server.asked(verifyEmail)).toEqual([])
  })

  test('a link without its token has nothing to press', async () => {
    openPortal('/verify-email', unproven)
    await said('This link is not complete. Please open it from the email itself.')
    expect(screen.queryByRole('button', { name: 'Confirm Email Address' })).toBeNull()
  })

  test.each([
    ['verification_of_another', 403, /This link belongs to another account/],
    ['verification_expired', 409, /This link has expired/],
    ['verification_used', 409, /belongs to an earlier email address/],
    ['verification_invalid', 422, /This link is not complete/],
  ])('%s is told in words', async (code, status, words) => {
    server.on(verifyEmail, () => refusal(status, code, 'No'))
    const hands = openPortal('/verify-email?token=a.b', unproven)
    await press(hands, 'Confirm Email Address')
    await said('Email Verification Failed')
    await said(words)
    await waitFor(() => expect(shownAddress()).toBe('/'))
  })

  test('where no answer comes it can be pressed again', async () => {
    server.on(verifyEmail, () => {
      throw new TypeError('Failed to fetch')
    })
    const hands = openPortal('/verify-email?token=a.b', unproven)
    await press(hands, 'Confirm Email Address')
    await said('No answer came. Please check your connection and try again.')
  })
})
