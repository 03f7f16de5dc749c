/** One of a few, as buttons side by side. */
export function Segments<Name extends string>(props: {
  readonly label: string;
  readonly chosen: Name;
  readonly options: readonly (readonly [Name, string])[];
  readonly choose: (name: Name) => void;
}) {
  return (
    <fieldset class="segments" aria-label={props.label}>
      {props.options.map(([name, text]) => (
        <button key={name} type="button" aria-pressed={name === props.chosen} onClick={() => props.choose(name)}>
          {text}
        </button>
      ))}
    </fieldset>
  );
}
