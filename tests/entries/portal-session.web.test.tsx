import { story } from '../web/story'

story('home first screen', () => require('../web/home-first-screen.web.test'))
story('login', () => require('../web/login.web.test'))
story('session', () => require('../web/session.web.test'))
story('account security', () => require('../web/account-security.web.test'))
story('messages', () => require('../web/messages.web.test'))
story('own data', () => require('../web/own-data.web.test'))
story('privacy', () => require('../web/privacy.web.test'))
story('connection', () => require('../web/connection.web.test'))
story('query client', () => require('../web/query-client.web.test'))
story('ui', () => require('../web/ui.web.test'))
story('unreadable', () => require('../web/unreadable.web.test'))
