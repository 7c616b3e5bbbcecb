// Drawing on a canvas in CSS pixels, and the theme's palette for it.

/** Sizes the canvas for the screen's density and returns an empty context in CSS pixels. */
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

/** Hatches an area, so that adjacent areas look like one. */
export function hatch(draw: CanvasRenderingContext2D, colour: string, box: { x: number; y: number; width: number; height: number }, gap = 5): void {
  const { x, y, width, height } = box;
  draw.save();
  draw.beginPath();
  draw.rect(x, y, width, height);
  draw.clip();
  draw.strokeStyle = colour;
  draw.lineWidth = 1;
  draw.beginPath();
  // Lines start where they would on the whole canvas.
  for (let at = Math.floor((x + y) / gap) * gap; at < x + y + width + height; at += gap) {
    draw.moveTo(at - y, y);
    draw.lineTo(at - y - height, y + height);
  }
  draw.stroke();
  draw.restore();
}

/** A colour of the palette by name, in the present theme; system colours are resolved, too. */
export function palette(element: Element): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    let value = known.get(name);
    if (value === undefined) {
      value = lookUp(element, name);
      known.set(name, value);
    }
    return value;
  };
}

function lookUp(element: Element, name: string): string {
  const plain = getComputedStyle(element).getPropertyValue(`--${name}`).trim();
  if (plain.startsWith('#') || element.parentElement === null) return plain;
  const probe = document.createElement('span');
  probe.style.setProperty('forced-color-adjust', 'none');
  probe.style.color = plain;
  element.parentElement.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found === '' ? plain : found;
}
