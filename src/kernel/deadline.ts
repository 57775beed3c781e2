/** Without a date: "08:00 on the day of the meal", "15:00 on the school day before the meal". */
export const deadlineRule = ({
  cutoffHour,
  cutoffMinute,
  daysBefore,
  schoolDaysOnly,
}: {
  cutoffHour: number
  cutoffMinute: number
  daysBefore: number
  schoolDaysOnly: boolean
}): string => {
  const time = clockTime({ hour: cutoffHour, minute: cutoffMinute })
  const day = schoolDaysOnly ? 'school day' : 'day'
  if (daysBefore === 0) return onDayOfMeal(time)
  return daysBefore === 1
    ? `${time} on the ${day} before the meal`
    : `${time}, ${daysBefore} ${day}s before the meal`
}

export const onDayOfMeal = (time: string): string => `${time} on the day of the meal`

/** "08:05". */
export const clockTime = ({ hour, minute }: { hour: number; minute: number }): string =>
  [hour, minute].map((part) => String(part).padStart(2, '0')).join(':')
