import { story } from '../support/story'

story('administrators', () => require('../identity/administrators.int.test'))
story('health', () => require('../identity/health.int.test'))
story('parents', () => require('../identity/parents.int.test'))
story('privacy', () => require('../identity/privacy.int.test'))
story('profile', () => require('../identity/profile.int.test'))
story('second factor', () => require('../identity/second-factor.int.test'))
story('sign in', () => require('../identity/sign-in.int.test'))
story('temporary password', () => require('../identity/temporary-password.int.test'))
