import {
  confirmPhone,
  getMessageSettings,
  getUserMessages,
  saveMessageSettings,
  saveUserMessages,
  stopReminders,
  verifyPhone,
} from '#contracts/messages'
import { anyone, onlyRoles, route, withFeature } from '#platform/http/route'
import type { messageCommands } from './messages.commands'
import type { phoneCommands } from './phone.commands'

type Commands = ReturnType<typeof messageCommands> & ReturnType<typeof phoneCommands>

const families = onlyRoles('parent', 'teacher')

export const messageRoutes = (commands: Commands) => [
  route(getUserMessages, families, ({ user }) => commands.messagesOfUser(user.userId)),

  route(saveUserMessages, families, ({ user, body }) => commands.saveMessagesOfUser(user.userId, body)),

  route(
    verifyPhone,
    families,
    async ({ user }) => {
      await commands.sendCode(user.userId)
      return { message: 'We have sent you a code' }
    },
    { limit: { name: 'phone-verify', points: 5, seconds: 3600, by: 'user' } },
  ),

  route(
    confirmPhone,
    families,
    async ({ user, body }) => {
      await commands.confirmPhone(user.userId, body.code)
      return { message: 'Your phone is verified' }
    },
    { limit: { name: 'phone-confirm', points: 20, seconds: 3600, by: 'user' } },
  ),

  route(
    stopReminders,
    anyone,
    async ({ body }) => {
      await commands.stopReminders(body.token)
      return { message: 'You will get no more reminders' }
    },
    { limit: { name: 'stop-reminders', points: 30, seconds: 300 } },
  ),

  route(getMessageSettings, withFeature('settings'), () => commands.readMessageSettings()),

  route(saveMessageSettings, withFeature('settings'), ({ body, actor, correlationId }) =>
    commands.saveMessageSettings(body, { actor, correlationId }),
  ),
]
