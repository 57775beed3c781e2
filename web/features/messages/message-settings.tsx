import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useController, useWatch } from 'react-hook-form'
import {
  getMessageSettings,
  saveMessageSettings,
  type MessageSettings as Settings,
  type ShownMessageSettings,
} from '#contracts/messages'
import { endpointMutation, endpointQuery, useFresh } from '../../lib/endpoint-query'
import { counted } from '../../lib/format'
import { adminToast } from '../../lib/toast'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { Checkbox } from '../../ui/checkbox'
import { TextArea } from '../../ui/field'
import { Form, FormField, SubmitButton } from '../../ui/form'
import { Notice } from '../../ui/notice'
import { QueryResult } from '../../ui/query-result'

export const MessageSettings = () => (
  <Card>
    <CardHeading title="Messages" hint="What families are sent beside emails" />
    <CardBody>
      <QueryResult query={useFresh(settingsQuery)} failure="Failed to fetch the message settings">
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
      <FormField
        number
        name="dailyCeiling"
        label="Maximum SMS per day"
        hint="Required while SMS are on. A tenth is kept for temporary passwords. Once the rest is used up, families with an email address get emails instead; other SMS wait until 07:00, and superadmins are told."
      />
      <Cost shown={shown} />
      <Choice
        name="otherCountries"
        label="Send SMS to other countries"
        hint="Off: only numbers of Zambia (+260) get SMS. Other countries cost more."
      />
      <Choice
        name="orderWithPhone"
        label="Order with a phone alone"
        hint="A verified phone is enough to order, without an email address, while SMS are on."
      />
      <Choice
        name="reminders"
        label="Remind families"
        hint="Families with nothing ordered for next week are reminded once, on Thursday at 17:00. Each reminder has a link that stops them."
      />
      <ReportAddresses
        name="dailyReport"
        label="Daily report to"
        hint="Email addresses, one a line, 10 at most. They are written to at 06:30 when something needs somebody, and on Mondays that all is well."
      />
      <ReportAddresses
        name="headReport"
        label="Report of the week to"
        hint="Email addresses, one a line, 10 at most. On Mondays at 06:30 half a page about the week before: lunches, money, closed days; no names."
      />
      <SubmitButton busyLabel="Saving..." className="self-start max-sm:w-full">
        Save Message Settings
      </SubmitButton>
    </Form>
  )
}

const settingsOf = ({
  sms,
  dailyCeiling,
  otherCountries,
  orderWithPhone,
  reminders,
  dailyReport,
  headReport,
  version,
}: ShownMessageSettings): Settings & { version: string } => ({
  sms,
  dailyCeiling,
  otherCountries,
  orderWithPhone,
  reminders,
  dailyReport,
  headReport,
  version,
})

type ChoiceProps = {
  name: 'sms' | 'otherCountries' | 'orderWithPhone' | 'reminders'
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
      checked={field.value ?? false}
      onChange={(event) => field.onChange(event.target.checked)}
    />
  )
}

/** One a line; what is typed stays as typed until it is saved. */
type AddressesProps = { name: 'dailyReport' | 'headReport'; label: string; hint: string }

const ReportAddresses = ({ name, label, hint }: AddressesProps) => {
  const {
    field: { ref, onBlur, onChange },
    fieldState,
    formState,
  } = useController<Settings, typeof name>({ name })
  const saved = formState.defaultValues?.[name]?.join('\n') ?? ''
  const [typed, setTyped] = useState<string | null>(null)
  const errors = [fieldState.error ?? []].flat()
  return (
    <TextArea
      ref={ref}
      label={label}
      hint={hint}
      error={errors.find((error) => error?.message)?.message}
      value={fieldState.isDirty ? (typed ?? saved) : saved}
      onBlur={onBlur}
      onChange={({ target: { value } }) => {
        setTyped(value)
        onChange(value.split(/[\s,;]+/).filter((address) => address !== ''))
      }}
    />
  )
}

/** Counts only; the gateway sets the price. */
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

/** Refetched whenever opened. */
const settingsQuery = { ...endpointQuery('identity', getMessageSettings, {}), staleTime: 0 }

const saveSettings = endpointMutation(saveMessageSettings, 'identity')
