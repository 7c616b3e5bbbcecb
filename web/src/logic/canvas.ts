// Canvas in CSS pixels, and the palette of the theme for it.

/** Sizes the canvas for the screen's density and returns an empty drawing in CSS pixels. */
export function prepare(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const density = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(height * density);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const draw = canvas.getContext('2d');
  if (draw === null) throw new Error('this browser draws no canvas');
  draw.setTransform(density, 0, 0, density, 0, 0);
  draw.clearRect(0, 0, width, height);
  return draw;
}

/** A colour of the palette by its name, as the theme has it now. */
export function palette(element: Element): (name: string) => string {
  const style = getComputedStyle(element);
  const known = new Map<string, string>();
  return (name) => {
    let value = known.get(name);
    if (value === undefined) {
      value = style.getPropertyValue(`--${name}`).trim();
      known.set(name, value);
    }
    return value;
  };
}
