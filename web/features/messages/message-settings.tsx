import { useMutation, useQuery } from '@tanstack/react-query'
import { useController, useWatch } from 'react-hook-form'
import {
  saveMessageSettings,
  type MessageSettings as Settings,
  type ShownMessageSettings,
} from '#contracts/messages'
import { counted } from '../../lib/format'
import { adminToast } from '../../lib/toast'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { Checkbox } from '../../ui/checkbox'
import { Form, SubmitButton } from '../../ui/form'
import { Notice } from '../../ui/notice'
import { OptionalNumber } from '../../ui/optional-number'
import { QueryResult } from '../../ui/query-result'
import { saveSettings, settingsQuery } from './api'

/** Settings, Messages: what the school sends beside emails, and what that costs. */
export const MessageSettings = () => (
  <Card>
    <CardHeading title="Messages" hint="What families are sent beside emails" />
    <CardBody>
      <QueryResult query={useQuery(settingsQuery)} failure="Failed to fetch the message settings">
        {(shown) => <SettingsForm shown={shown} />}
      </QueryResult>
    </CardBody>
  </Card>
)

const SettingsForm = ({ shown }: { shown: ShownMessageSettings }) => {
  const saving = useMutation(saveSettings)
  return (
    <Form
      schema={saveMessageSettings.body}
      defaultValues={settingsOf(shown)}
      onSave={async (body, form) => {
        form.reset(settingsOf(await saving.mutateAsync({ body })))
        adminToast({ title: 'Message settings saved successfully' })
      }}
      failed="Failed to save the message settings"
      className="flex max-w-form flex-col gap-5"
    >
      {shown.smsAvailable ? null : (
        <Notice tone="info" title="No SMS gateway is set up">
          <p>SMS can be switched on once whoever runs this service has set one up.</p>
        </Notice>
      )}
      <Choice
        name="sms"
        label="Send SMS"
        hint="Families who verify their phone choose emails, SMS or both. The others are written by email, as before."
        disabled={!shown.smsAvailable && !shown.sms}
      />
      <OptionalNumber
        name="dailyCeiling"
        label="At most so many SMS a day"
        hint="Empty: without end. Above it, families with an email address are written by email; the rest waits until 07:00 and superadmins are told."
      />
      <Cost shown={shown} />
      <Choice
        name="orderWithPhone"
        label="Order with a phone alone"
        hint="Whoever has a verified phone needs no email address to order. It counts while SMS are sent."
      />
      <Choice
        name="reminders"
        label="Remind families"
        hint="On Thursday at 17:00 whoever has ordered nothing for next week is told, once. Every family can stop that with one press."
      />
      <SubmitButton busyLabel="Saving..." className="self-start max-sm:w-full">
        Save Message Settings
      </SubmitButton>
    </Form>
  )
}

const settingsOf = ({ sms, dailyCeiling, orderWithPhone, reminders }: Settings): Settings => ({
  sms,
  dailyCeiling,
  orderWithPhone,
  reminders,
})

type ChoiceProps = {
  name: 'sms' | 'orderWithPhone' | 'reminders'
  label: string
  hint: string
  disabled?: boolean
}

const Choice = ({ name, label, hint, disabled }: ChoiceProps) => {
  const { field } = useController<Settings, typeof name>({ name })
  return (
    <Checkbox
      label={label}
      hint={hint}
      disabled={disabled}
      checked={field.value}
      onChange={(event) => field.onChange(event.target.checked)}
    />
  )
}

/** What is paid for is counted here; what one costs, the gateway says. */
const Cost = ({ shown }: { shown: ShownMessageSettings }) => {
  const ceiling = useWatch<Settings, 'dailyCeiling'>({ name: 'dailyCeiling' })
  const sent = `Your gateway charges for each SMS. A message to a family is one: it has 160 characters at most. Sent today: ${shown.sentToday}, in the last 30 days: ${shown.sentIn30Days}.`
  return (
    <p className="text-sm text-muted" aria-live="polite">
      {ceiling !== null && Number.isInteger(ceiling) && ceiling > 0
        ? `${sent} With this ceiling 30 days cost at most the price of ${counted(30 * ceiling, 'SMS', 'SMS')}.`
        : sent}
    </p>
  )
}
