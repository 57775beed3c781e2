import { focusManager, onlineManager } from '@tanstack/react-query'
import { act, screen, within, waitFor } from '@testing-library/react'
import { listMenu } from '#contracts/catalogue'
import {
  type User,
  currentUser,
  listStudents,
  login,
  logout,
  portal,
  register,
  updateProfile,
  updateStudent,
  featureNames,
} from '#contracts/identity'
import { listOrders } from '#contracts/ordering'
import { sections } from '../../web/features/admin-shell/console-shell'
import { takePreloaded } from '../../web/lib/preloaded-data'
import { schoolNow, setSchoolNow, setSchoolZone } from '../../web/lib/school-moment'
import { type FakeServer, FakeRefusal, refusal } from './admin/fake-server'
import { superadmin } from './admin/open-console'
import { freshPortal, openPortal, press } from './open-portal'
import { bwalya, chanda, order, parent, teacher, staff } from './sample-family'

let server: FakeServer

describe('session', () => {
  beforeEach(() => {
    server = freshPortal()
  })
  afterEach(() => {
    setSchoolZone('Africa/Lusaka')
    setSchoolNow(new Date().toISOString())
    focusManager.setFocused(undefined)
    onlineManager.setOnline(true)
  })

  const said = async (text: string | RegExp) => expect(await screen.findByText(text)).toBeInTheDocument()
  const unheard = () => {
    throw new FakeRefusal(502, null)
  }
  const noNetwork = () => {
    throw new TypeError('Failed to fetch')
  }
  const lost = /^No answer came\. Please check your connection and try again/

  const told = () => screen.findByText('No connection. Trying again …', {}, { timeout: 4_000 })

  const signIn = async (hands: ReturnType<typeof openPortal>) => {
    await hands.type(await screen.findByLabelText('Username'), 'mwila')
    await hands.type(await screen.findByLabelText('Password'), 'secret1')
    await press(hands, 'Login to Portal')
  }

  describe('who is signed in', () => {
    test('is asked once, and not again on focus or when a connection is back', async () => {
      server.on(currentUser, parent)
      openPortal()
      await said('mwila')
      await act(async () => {
        focusManager.setFocused(false)
        focusManager.setFocused(true)
        onlineManager.setOnline(false)
        onlineManager.setOnline(true)
      })
      expect(server.asked(currentUser)).toHaveLength(1)
    })

    test('is known although the question was lost once', async () => {
      let asked = 0
      server.on(currentUser, () => {
        asked += 1
        if (asked === 1) throw new TypeError('Failed to fetch')
        return parent
      })
      openPortal()
      await said('mwila')
      expect(screen.queryByRole('button', { name: 'Login to Portal' })).not.toBeInTheDocument()
      expect(asked).toBe(2)
    })

    test.each([
      ['an error of the server', unheard],
      ['a refusal that is no 401', () => refusal(403, 'cross_site', 'This request came from another site')],
    ])('is not told by %s: the page says that it asks again', async (_what, answer) => {
      server.on(currentUser, answer)
      openPortal()
      expect(await told()).toHaveRole('status')
      expect(screen.queryByRole('button', { name: 'Login to Portal' })).not.toBeInTheDocument()
    })

    test('is asked on a line without answers until it is known', async () => {
      server.on(currentUser, noNetwork)
      openPortal()
      await told()
      server.on(currentUser, parent)
      expect(await screen.findByText('mwila', {}, { timeout: 6_000 })).toBeInTheDocument()
    })

    test('is nobody after a 401, at once', async () => {
      server.on(currentUser, () => refusal(401, 'not_signed_in', 'Please log in'))
      openPortal()
      await screen.findByRole('button', { name: 'Login to Portal' })
      expect(server.asked(currentUser)).toHaveLength(1)
    })

    test('is known although the school is not', async () => {
      server.on(currentUser, parent)
      server.on(portal, unheard)
      openPortal()
      await said('mwila')
    })

    test('is told nothing of who was there before', async () => {
      server.on(logout, { message: 'ok' })
      const hands = openPortal('/?tab=students', parent)
      await said('Chanda')
      await press(hands, 'Logout')
      server.on(listStudents, [{ ...bwalya, parent_id: 9, parentId: 9 }])
      server.on(login, { ...parent, id: 9, username: 'grace' })
      await signIn(hands)
      await said('grace')
      await said('Bwalya')
      expect(screen.queryByText('Chanda')).not.toBeInTheDocument()
      expect(server.asked(portal)).toHaveLength(1)
    })
  })

  test.each([
    ['Africa/Lusaka', '08:05'],
    ['Asia/Tokyo', '15:05'],
  ])('times are those of %s when the server says that the school is there', async (timezone, shown) => {
    server.on(currentUser, parent)
    server.on(portal, { schoolName: 'Hill School', timezone, demo: false, now: new Date().toISOString() })
    server.on(listStudents, [chanda])
    server.on(listOrders, [order()])
    openPortal('/?tab=orders')
    const [time] = await screen.findAllByRole('time')
    expect(time!.textContent).toContain(shown)
  })

  test('what time it is says the server, whatever the device thinks', async () => {
    const now = '2031-05-06T05:05:00.000Z'
    server.on(portal, { schoolName: 'Hill School', timezone: 'Africa/Lusaka', demo: false, now })
    openPortal('/', null)
    await screen.findByRole('button', { name: 'Login to Portal' })
    expect(schoolNow()).toMatch(/^2031-05-06T05:05:/)
  })

  describe('the way in', () => {
    test('says whom to ask for a lost username, and how to choose one', async () => {
      const hands = openPortal('/', null)
      await said(/^Lost your username\? Please contact the tuckshop contact person/)
      await press(hands, /Create an account/)
      await said('Tips: keep it simple and memorable, avoid complex characters or numbers.')
      const phone = await screen.findByLabelText('Phone Number (Optional)')
      expect(phone.getAttribute('placeholder')).toMatch(/^\+260 /)
    })

    test('without an answer says what to do, keeps what was typed, and is quiet once one came', async () => {
      server.on(login, noNetwork)
      const hands = openPortal('/', null)
      await signIn(hands)
      await said('Failed to login')
      expect((await screen.findByRole('alert')).textContent).toMatch(lost)
      expect((await screen.findByLabelText('Username')) as HTMLInputElement).toHaveValue('mwila')
      server.on(login, () => refusal(401, 'wrong_credentials', 'Invalid username or password'))
      await press(hands, 'Login to Portal')
      await said('Invalid username or password')
      expect(screen.queryByText(lost)).not.toBeInTheDocument()
    })

    test.each([
      ['an answer without words', unheard, 'Registration failed', false],
      ['no answer', noNetwork, 'Failed to register', true],
    ])('a new account with %s', async (_what, answer, words, isLost) => {
      server.on(register, answer)
      const hands = openPortal('/', null)
      await press(hands, /Create an account/)
      await hands.type(await screen.findByLabelText('First Name'), 'Mutinta')
      await hands.type(screen.getByLabelText('Last Name'), 'Mwila')
      await signInFields(hands)
      await press(hands, 'Create Account')
      await said(words)
      expect(screen.queryByText(lost) !== null).toBe(isLost)
      expect(screen.getByLabelText('First Name') as HTMLInputElement).toHaveValue('Mutinta')
    })
  })

  const signInFields = async (hands: ReturnType<typeof openPortal>) => {
    await hands.type(screen.getByLabelText('Username'), 'mwila')
    await hands.type(screen.getByLabelText('Password'), 'secret1')
  }

  describe('a session that ends', () => {
    const ended = () => refusal(401, 'not_signed_in', 'Please log in')
    const again = async () => within(await screen.findByRole('dialog', { name: 'Log In Again' }))
    type Asking = Awaited<ReturnType<typeof again>>
    const signInAgain = async (hands: ReturnType<typeof openPortal>, dialog: Asking, user: User) => {
      server.on(login, user)
      server.on(currentUser, user)
      await hands.type(dialog.getByLabelText('Password'), 'secret1')
      await hands.click(dialog.getByRole('button', { name: 'Login to Portal' }))
    }
    const rename = async () => {
      const hands = openPortal('/?tab=students', parent)
      await press(hands, 'Edit Chanda')
      await hands.type(screen.getByDisplayValue('Chanda'), ' M.')
      return hands
    }

    test('while something is typed keeps it: the sign-in opens over the screen, which then goes on', async () => {
      server.on(updateStudent, ended)
      const hands = await rename()
      await press(hands, 'Save')
      const dialog = await again()
      expect(dialog.getByLabelText('Username')).toHaveValue('mwila')
      const reads = server.asked(listStudents).length
      await signInAgain(hands, dialog, parent)
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
      expect(screen.getByDisplayValue('Chanda M.')).toBeInTheDocument()
      await waitFor(() => expect(server.asked(listStudents).length).toBeGreaterThan(reads))
      server.on(updateStudent, { ...chanda, name: 'Chanda M.', affectedOrders: [] })
      await press(hands, 'Save')
      await waitFor(() => expect(screen.queryByRole('button', { name: 'Save' })).not.toBeInTheDocument())
      expect(server.asked(updateStudent)[0]?.body).toMatchObject({ name: 'Chanda M.' })
    })

    const changeOwnName = async () => {
      server.on(updateProfile, ended)
      const hands = openPortal('/', parent)
      await press(hands, 'View Profile')
      await hands.type(await screen.findByDisplayValue('Mutinta Mwila'), '-Banda')
      await press(hands, 'Save Changes')
      return hands
    }

    test('keeps a form in a dialog too', async () => {
      const hands = await changeOwnName()
      await signInAgain(hands, await again(), parent)
      await waitFor(() =>
        expect(screen.queryByRole('dialog', { name: 'Log In Again' })).not.toBeInTheDocument(),
      )
      expect(screen.getByDisplayValue('Mutinta Mwila-Banda')).toBeInTheDocument()
    })

    test('is asked for again by the next call when the sign-in was closed', async () => {
      server.on(updateStudent, ended)
      const hands = await rename()
      await press(hands, 'Save')
      await hands.click((await again()).getByRole('button', { name: 'Close' }))
      expect(screen.getByDisplayValue('Chanda M.')).toBeInTheDocument()
      await press(hands, 'Save')
      await again()
    })

    test('shows another user nothing of what was typed', async () => {
      const hands = await changeOwnName()
      await signInAgain(hands, await again(), { ...parent, id: 77, username: 'banda' })
      await said('banda')
      expect(screen.queryByDisplayValue('Mutinta Mwila-Banda')).not.toBeInTheDocument()
    })

    test('with nothing typed is the way in, in place of the screen', async () => {
      server.on(listStudents, ended)
      openPortal('/?tab=students', parent)
      await screen.findByRole('heading', { name: 'Welcome back' })
    })
  })

  describe('the link in the email', () => {
    test('that failed without a reason has one of our own', async () => {
      openPortal('/?emailVerified=error', null)
      await said('Email Verification Failed')
      await said('We could not confirm your email address. The link may be too old or used already.')
    })

    test('is told to somebody who is signed in too', async () => {
      openPortal('/?emailVerified=success', parent)
      await said('Email Verified Successfully')
      await said('mwila')
    })
  })

  const forced = (user: User): User => ({ ...user, mustChangePassword: true })

  describe('a temporary password', () => {
    test.each([
      ['a parent', '/', parent],
      ['a parent back from paying', '/payment/success?TransID=1', parent],
      ['a teacher', '/?tab=orders', teacher],
      ['an administrator', '/settings', superadmin],
    ])('lets %s do nothing else', async (_who, address, user) => {
      openPortal(address, forced(user))
      await screen.findByRole('heading', { name: 'Choose a new password' })
      const buttons = within(screen.getByRole('main')).getAllByRole('button', { name: /^(?!Show password)/ })
      expect(buttons.map((button) => button.textContent)).toEqual(['Change Password', 'Logout'])
    })

    test('that is wrong is told under its field and as a notification; any other failure as a notification alone', async () => {
      const wrong = 'Current password is incorrect'
      server.on(updateProfile, () =>
        refusal(422, 'wrong_current_password', wrong, { fields: { currentPassword: wrong } }),
      )
      const hands = openPortal('/', forced(parent))
      await hands.type(await screen.findByLabelText('Temporary password'), 'temp-1')
      await hands.type(screen.getByLabelText('New password'), 'secret1')
      await hands.type(screen.getByLabelText('New password again'), 'secret1')
      await press(hands, 'Change Password')
      await said('Update Failed')
      expect(screen.getByLabelText('Temporary password')).toHaveAccessibleDescription(wrong)
      server.on(updateProfile, unheard)
      await press(hands, 'Change Password')
      await said('Please try again.')
    })

    test('can be left', async () => {
      server.on(logout, { message: 'ok' })
      const hands = openPortal('/', forced(parent))
      await press(hands, 'Logout')
      await screen.findByRole('button', { name: 'Login to Portal' })
    })

    test('that the server asks to be changed later brings its owner here', async () => {
      server.on(currentUser, forced(parent))
      server.on(listStudents, () => refusal(403, 'password_change_required', 'Please change your password'))
      openPortal('/', parent)
      await screen.findByRole('heading', { name: 'Choose a new password' })
    })
  })

  test('a teacher is not offered to become one', async () => {
    server.on(listStudents, [])
    const hands = openPortal('/', teacher)
    await press(hands, 'View Profile')
    await screen.findByRole('button', { name: 'Save Changes' })
    expect(screen.queryByRole('button', { name: 'Convert to Teacher Account' })).not.toBeInTheDocument()
  })
})

describe('session addresses', () => {
  beforeEach(() => {
    server = freshPortal()
  })

  const titled = (title: string) => waitFor(() => expect(document.title).toBe(title))
  const portal = (words: string) => `${words} · Parent & Teacher Portal`

  describe('every screen has a title of its own', () => {
    test.each<[string, User | null, string]>([
      ['/', null, portal('Login')],
      ['/payment/success?TransID=1', null, portal('Your payment is being checked')],
      ['/debug-login', null, portal('Login debug')],
      ['/', { ...parent, mustChangePassword: true }, portal('Change Password')],
      ['/?tab=cart', parent, portal('Cart')],
      ['/?tab=students', parent, portal('Students')],
      ['/?tab=orders', parent, portal('Order History')],
      ['/payment/success', parent, portal('Missing transaction ID')],
      ['/payment/cancel', parent, portal('Payment Cancelled')],
      ['/anything', parent, portal('Page not found')],
      ['/', teacher, 'Menu Calendar · Teacher Portal'],
      ['/?tab=orders', teacher, 'Order History · Teacher Portal'],
      ['/?tab=cart', teacher, 'Cart · Teacher Portal'],
      ['/settings', superadmin, 'Settings · Tuckshop'],
      ['/menu/edit/1', superadmin, 'Edit Menu Item · Tuckshop'],
    ])('%s', async (address, user, title) => {
      server.on(listStudents, [staff])
      openPortal(address, user)
      await titled(title)
    })

    test('the new account', async () => {
      const hands = openPortal('/', null)
      await press(hands, /Create an account/)
      await titled(portal('Create Account'))
      await press(hands, 'Already have an account? Login')
      await titled(portal('Login'))
    })

    test.each(featureNames.map((key) => [key, sections.find((one) => one.key === key)!.label]))(
      'the section %s',
      async (key, label) => {
        openPortal(`/?section=${key}`, superadmin)
        await titled(`${label} · Tuckshop`)
      },
    )
  })

  test('signed out after paying, somebody can log in or register', async () => {
    const hands = openPortal('/payment/success?TransID=1', null)
    expect(await screen.findByRole('heading', { name: 'Your payment is being checked' })).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Login to Portal' })).toBeInTheDocument()
    await press(hands, /Create an account/)
    expect(await screen.findByLabelText('First Name')).toBeInTheDocument()
    await press(hands, 'Already have an account? Login')
    await press(hands, 'Forgot your password?')
    expect(await screen.findByRole('dialog', { name: 'Reset Password' })).toBeInTheDocument()
  })

  const notTheirs: [string, User, string[]][] = [
    ['a parent', parent, ['/settings', '/menu/edit/1', '/debug-login', '/payment', '/payment/success/more']],
    ['a teacher', teacher, ['/settings', '/menu/edit/1', '/debug-login', '/cart']],
    ['an administrator', superadmin, ['/payment/success', '/payment/cancel', '/debug-login', '/menu/edit']],
  ]
  test.each(notTheirs.flatMap(([who, user, all]) => all.map((address) => [who, address, user] as const)))(
    'for %s %s is a 404',
    async (_who, address, user) => {
      openPortal(address, user)
      expect(await screen.findByRole('heading', { name: '404 Page Not Found' })).toBeInTheDocument()
      expect(screen.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/')
    },
  )

  test('the debug login says when there was no answer', async () => {
    server.on(login, () => {
      throw new TypeError('Failed to fetch')
    })
    const hands = openPortal('/debug-login', null)
    await press(hands, 'Submit')
    expect(await screen.findByText('Status: No answer')).toBeInTheDocument()
  })
})

describe('sent with page', () => {
  beforeEach(() => {
    server = freshPortal()
    server.on(currentUser, () => Promise.reject(new Error('Nobody asks for the user')))
    server.on(portal, () => Promise.reject(new Error('Nobody asks for the school')))
  })
  afterEach(() => {
    document.getElementById('sent')?.remove()
    setSchoolZone('Africa/Lusaka')
    setSchoolNow(new Date().toISOString())
  })

  const school = {
    schoolName: 'Hill School',
    timezone: 'Asia/Tokyo',
    demo: false,
    now: '2031-05-06T05:05:00.000Z',
  }

  /** Puts these replies into the page, as the server does. */
  const send = (replies: Record<string, unknown>) => {
    const block = document.createElement('script')
    block.type = 'application/json'
    block.id = 'sent'
    block.textContent = JSON.stringify(replies)
    document.body.append(block)
  }

  test('whom the page names is not asked for, and what time it is is known', async () => {
    send({ '/api/user': parent, '/api/portal': school })
    openPortal()
    expect(await screen.findByText('mwila')).toBeInTheDocument()
    expect(server.asked(currentUser)).toHaveLength(0)
    expect(server.asked(portal)).toHaveLength(0)
    expect(schoolNow()).toMatch(/^2031-05-06T05:05:/)
  })

  test('a page that names nobody leads to the way in, without asking', async () => {
    send({ '/api/user': null, '/api/portal': school })
    openPortal()
    expect(await screen.findByRole('button', { name: 'Login to Portal' })).toBeInTheDocument()
    expect(screen.getByText('School lunches from Hill School')).toBeInTheDocument()
    expect(server.asked(currentUser)).toHaveLength(0)
    expect(server.asked(portal)).toHaveLength(0)
  })

  test('what came stays in no page, and is had once', () => {
    send({ '/api/menu': [], '/api/user': { id: 'of another shape' } })
    expect(takePreloaded(listMenu)).toEqual([])
    expect(document.getElementById('sent')).toBeNull()
    expect(takePreloaded(listMenu)).toBeUndefined()
    expect(takePreloaded(currentUser)).toBeUndefined()
  })

  test('what came for one is not for whoever signs in after them', async () => {
    send({ '/api/user': null, '/api/portal': school, '/api/menu': [] })
    server.on(login, parent)
    const hands = openPortal()
    await hands.type(await screen.findByLabelText('Username'), 'mwila')
    await hands.type(screen.getByLabelText('Password'), 'secret1')
    await hands.click(screen.getByRole('button', { name: 'Login to Portal' }))
    expect(await screen.findByText('mwila')).toBeInTheDocument()
    expect(takePreloaded(listMenu)).toBeUndefined()
  })
})
